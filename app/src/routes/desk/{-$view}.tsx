// /desk: the moderation queue; /desk/users and others: further views for moderators and administrators.
import { createFileRoute } from '@tanstack/react-router';
import { DeskScreen, VIEWS } from '#/features/desk/components/desk-screen.tsx';
import { requireSession } from '#/data/session/require-session.ts';

export const Route = createFileRoute('/desk/{-$view}')({
  beforeLoad: () => requireSession(),
  validateSearch: ({ user }: Record<string, unknown>): { user?: string } =>
    typeof user === 'string' ? { user } : {},
  component: DeskRoute,
});

function DeskRoute() {
  const { view = 'queue' } = Route.useParams();
  const { user } = Route.useSearch();
  return (
    <DeskScreen view={VIEWS.find((one) => one === view) ?? 'queue'} user={user || undefined} />
  );
}
