// /parks/{id}: loads the park for its three pages.
import { createFileRoute, notFound } from '@tanstack/react-router';
import { loadRemovedPark } from '#/features/park-pages/queries/removed-park.ts';
import { loadPark } from '#/entities/parks/load-park.ts';
import { parkStatusQueryOptions } from '#/entities/parks/park-status.ts';
import { ParkScreen } from '#/screens/park/park-screen.tsx';

export const Route = createFileRoute('/parks/$parkId')({
  params: {
    parse: ({ parkId }) => ({ parkId: Number(parkId) }),
    stringify: ({ parkId }) => ({ parkId: String(parkId) }),
  },
  // Must run before the loaders of the child routes, which would fetch it.
  beforeLoad: ({ params: { parkId } }) => {
    if (!Number.isSafeInteger(parkId) || parkId < 1) throw notFound();
  },
  loader: async ({ params: { parkId }, context: { queryClient } }) => {
    void queryClient.prefetchQuery(parkStatusQueryOptions(parkId));
    await loadPark(queryClient, parkId).catch((error: unknown) =>
      loadRemovedPark(queryClient, parkId, error),
    );
  },
  component: ParkScreen,
});
