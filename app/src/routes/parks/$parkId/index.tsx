// /parks/{id}/: the general page of a park.
import { createFileRoute } from '@tanstack/react-router';
import { parkCardQueryOptions } from '#/entities/parks/park-card.ts';
import { GeneralPage } from '#/screens/park/general-page.tsx';

export const Route = createFileRoute('/parks/$parkId/')({
  loader: ({ params: { parkId }, context: { queryClient } }) =>
    void queryClient.prefetchQuery(parkCardQueryOptions(parkId)),
  component: GeneralPage,
});
