// /profile/{id}/favorites: the favourites tab of a user's page.
import { createFileRoute, redirect } from '@tanstack/react-router';
import { favouritesOfQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { loadCurrent, loadOrOffline } from '#/data/load-or-offline.ts';
import { locateQuietly } from '#/platform/here.ts';
import { FavouritesTab } from '#/screens/profile/favourites-tab.tsx';

export const Route = createFileRoute('/profile/$id/_tabs/favorites')({
  loader: async ({ context: { queryClient, userId }, params: { id } }) => {
    // Use the location only if it is permitted, as in the list of parks.
    void locateQuietly();
    if (id !== userId) {
      const page = await loadCurrent(queryClient, userPageQueryOptions(id));
      if (!page.shows_favourites) throw redirect({ to: '/profile/$id/dogs', params: { id } });
    }
    await loadOrOffline(queryClient, favouritesOfQueryOptions(id, id === userId));
  },
  component: FavouritesTab,
});
