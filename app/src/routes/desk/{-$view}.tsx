// /desk: the moderation queue; /desk/people and others: further views for moderators and administrators.
import { createFileRoute } from '@tanstack/react-router';
import { DeskScreen, VIEWS } from '#/features/desk/components/desk-screen.tsx';
import { requireSession } from '#/data/session/require-session.ts';

export const Route = createFileRoute('/desk/{-$view}')({
  beforeLoad: () => requireSession(),
  validateSearch: ({ person }: Record<string, unknown>): { person?: string } =>
    typeof person === 'string' ? { person } : {},
  component: DeskRoute,
});

function DeskRoute() {
  const { view = 'queue' } = Route.useParams();
  const { person } = Route.useSearch();
  return (
    <DeskScreen view={VIEWS.find((one) => one === view) ?? 'queue'} person={person || undefined} />
  );
}
