// Favourite parks: mine, or those of a friend who shows them.
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { favouritesOfQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { FavouriteList } from '#/features/park-lists/components/favourite-list.tsx';
import { userPageQueryOptions } from '#/features/users/queries/user-page.ts';
import { loadCurrent, loadOrOffline } from '#/data/load-or-offline.ts';
import { useSession } from '#/data/session/session.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { Scene } from '#/screens/shared/scene.tsx';
import { CardVerdict } from '#/screens/shared/verdict.tsx';
import { locateQuietly, useHere } from '#/platform/here.ts';

export const Route = createFileRoute('/profile/$id/_tabs/favorites')({
  loader: async ({ context: { queryClient, userId }, params: { id } }) => {
    // Never asks, as the list of parks does not.
    void locateQuietly();
    if (id !== userId) {
      const page = await loadCurrent(queryClient, userPageQueryOptions(id));
      if (!page.shows_favourites) throw redirect({ to: '/profile/$id/dogs', params: { id } });
    }
    await loadOrOffline(queryClient, favouritesOfQueryOptions(id, id === userId));
  },
  component: FavouritesTab,
});

function FavouritesTab() {
  const { id } = Route.useParams();
  const { userId } = Route.useRouteContext();
  const query = favouritesOfQueryOptions(id, id === userId);
  const { data } = useWithUnsent(query.queryKey, useSuspenseQuery(query).data);
  return (
    <FavouriteList
      parkIds={data}
      mine={id === userId}
      here={useHere().place}
      friends={useFriendsNow(useSession().status === 'in')}
      verdict={(park) => <CardVerdict park={park} />}
      scene={(park) => <Scene place={park.location} dogs={park.live?.dogs_now ?? 0} />}
    />
  );
}
