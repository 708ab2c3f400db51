// /profile/{id}/dogs: the dogs tab of a user's page.
import { createFileRoute } from '@tanstack/react-router';
import { dogsOfOwnerQueryOptions } from '#/features/dogs/queries/dogs.ts';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { DogsTab } from '#/screens/profile/dogs-tab.tsx';

export const Route = createFileRoute('/profile/$id/_tabs/dogs')({
  loader: ({ context, params }) =>
    loadOrOffline(context.queryClient, dogsOfOwnerQueryOptions(params.id)),
  component: DogsTab,
});
