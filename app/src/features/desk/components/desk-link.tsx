// The link to the desk, for moderators, administrators and towns.
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { deskTextQueryOptions } from '#/features/desk/desk-text.ts';
import { roleQueryOptions } from '#/features/desk/queries/desk.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { ButtonLink } from '#/ui/button.tsx';

export default function DeskLink({ onClick }: { onClick?: () => void }) {
  const language = useLanguage();
  const { userId } = useSession();
  const role = useQuery(roleQueryOptions(userId));
  const isMember = typeof role.data === 'string';
  const { data: text } = useQuery({ ...deskTextQueryOptions(language), enabled: isMember });
  if (!isMember || !text) return null;
  return (
    <ButtonLink variant="secondary" icon={ShieldCheck} to="/desk/{-$view}" onClick={onClick}>
      {text.title}
    </ButtonLink>
  );
}
