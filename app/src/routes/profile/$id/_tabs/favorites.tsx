// My favourite parks.
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { FavouriteList } from '#/features/parks/components/favourite-list.tsx';
import { loadOrOffline } from '#/data/load-or-offline.ts';
import { Scene } from '#/routes/-scene.tsx';
import { Verdict } from '#/routes/-verdict.tsx';
import { locateQuietly, useHere } from '#/platform/here.ts';

export const Route = createFileRoute('/profile/$id/_tabs/favorites')({
  beforeLoad: ({ context, params }) => {
    if (params.id !== context.userId) throw redirect({ to: '/profile/$id/dogs', params });
  },
  loader: ({ context }) => {
    // Never asks, as the list of parks does not.
    void locateQuietly();
    return loadOrOffline(context.queryClient, favouritesQueryOptions());
  },
  component: FavouritesTab,
});

function FavouritesTab() {
  const { data } = useSuspenseQuery(favouritesQueryOptions());
  return (
    <FavouriteList
      parkIds={data}
      here={useHere().place}
      verdict={(park) => <Verdict park={park} />}
      scene={(park) => <Scene place={park.location} dogs={park.live?.dogs_now ?? 0} />}
    />
  );
}
