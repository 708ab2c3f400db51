// /meetings: the user's meetings at parks.
import { createFileRoute } from '@tanstack/react-router';
import { meetingsQueryOptions } from '#/features/park-invites/queries/meetings.ts';
import { sessionReady } from '#/data/session/session.ts';
import { MeetingsScreen } from '#/screens/meetings/meetings-screen.tsx';

export const Route = createFileRoute('/meetings')({
  loader: async ({ context }) => {
    if ((await sessionReady()).status === 'in')
      void context.queryClient.prefetchQuery(meetingsQueryOptions());
  },
  component: MeetingsScreen,
});
