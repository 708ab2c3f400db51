// /parks: the list of parks.
import { createFileRoute } from '@tanstack/react-router';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { useMemo } from 'react';
import { parkListQueryOptions } from '#/offline/park-list.ts';
import { ParkListScreen } from '#/features/park-lists/components/park-list-screen.tsx';
import { type ParkSearch, parseParkSearch } from '#/features/park-lists/park-filters.ts';
import { currentLanguage } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { Scene } from '#/routes/-scene.tsx';
import { CardVerdict } from '#/routes/-verdict.tsx';
import { locateQuietly, useHere } from '#/platform/here.ts';

export const Route = createFileRoute('/parks/')({
  // The screen reads it leniently; the rules for that load with it.
  validateSearch: (address: Record<string, unknown>): ParkSearch => address,
  // The screen shows skeletons meanwhile: nothing here is waited for.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(parkListQueryOptions(currentLanguage()));
    // Never asks: the list works without a place, and the map does the asking.
    void locateQuietly();
  },
  component: ParksRoute,
});

function ParksRoute() {
  const address = Route.useSearch();
  const search = useMemo(() => parseParkSearch({ ...address }), [address]);
  const navigate = Route.useNavigate();
  return (
    <ParkListScreen
      search={search}
      here={useHere().place}
      friends={useFriendsNow(useSession().status === 'in')}
      verdict={(park) => <CardVerdict park={park} />}
      scene={(park) => <Scene place={park.location} dogs={park.live?.dogs_now ?? 0} />}
      onSearch={(patch) => {
        void navigate({
          search: (now) => ({ ...now, ...patch }),
          replace: true,
          resetScroll: false,
        });
      }}
    />
  );
}
