// Shown while a link is exchanged for a session.
import { useT } from '#/i18n/i18n.ts';
import { Skeleton } from '#/ui/skeleton.tsx';
import { AuthFrame } from './auth-frame.tsx';

export function LinkWait() {
  const t = useT();
  return (
    <div role="status" aria-busy>
      <AuthFrame pose="sniffing" title={t('auth.link.title')}>
        <Skeleton height="44px" />
        <Skeleton height="44px" />
      </AuthFrame>
    </div>
  );
}
