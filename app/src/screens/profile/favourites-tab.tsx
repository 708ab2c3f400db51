// The favourites tab of a user's page.
import { getRouteApi } from '@tanstack/react-router';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { favouritesOfQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { FavouriteList } from '#/features/park-lists/components/favourite-list.tsx';
import { useSession } from '#/data/session/session.ts';
import { useWithUnsent } from '#/offline/command-queue/queued-commands.ts';
import { Scene } from '#/screens/shared/scene.tsx';
import { CardVerdict } from '#/screens/shared/verdict.tsx';
import { useHere } from '#/platform/here.ts';

const route = getRouteApi('/profile/$id/_tabs/favorites');

export function FavouritesTab() {
  const { id } = route.useParams();
  const { userId } = route.useRouteContext();
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
