// /share/parks/{id}: the landing page of a shared link.
import { createFileRoute, notFound } from '@tanstack/react-router';
import { parkQueryOptions } from '#/entities/parks/park.ts';
import { ShareScreen } from '#/screens/share/share-screen.tsx';

export const Route = createFileRoute('/share/parks/$parkId')({
  params: {
    parse: ({ parkId }) => ({ parkId: Number(parkId) }),
    stringify: ({ parkId }) => ({ parkId: String(parkId) }),
  },
  loader: ({ params: { parkId }, context: { queryClient } }) => {
    if (!Number.isSafeInteger(parkId) || parkId < 1) throw notFound();
    void queryClient.prefetchQuery(parkQueryOptions(parkId));
  },
  component: ShareScreen,
});
