// The list of parks with verdicts, drawings and friends from other features.
import { getRouteApi } from '@tanstack/react-router';
import { useMyVisit } from '#/features/check-ins/use-my-visit.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { useMemo } from 'react';
import { useParkList } from '#/entities/parks/park-list-query.ts';
import type { ListedPark } from '#/features/park-lists/find-parks.ts';
import { PARK_ORDERS, rememberOrder, usedOrder } from '#/features/park-lists/park-order.ts';
import { ParkListScreen } from '#/features/park-lists/components/park-list-screen.tsx';
import { parseParkSearch } from '#/features/park-lists/park-filters.ts';
import { useT } from '#/i18n/i18n.ts';
import { useSession } from '#/data/session/session.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { startPlace } from '#/core/place.ts';
import { HighlightLine } from '#/features/verdicts/components/highlight-line.tsx';
import { SharedLine } from '#/features/verdicts/components/shared-line.tsx';
import { isCovered, type Ranked, type Shared, sharedOf } from '#/features/verdicts/ranking.ts';
import { rankSnapshot } from '#/screens/shared/park-ranking.ts';
import { useRankingSnapshot } from '#/screens/shared/use-ranking-snapshot.ts';
import { Scene } from '#/screens/shared/scene.tsx';
import { CardVerdict } from '#/screens/shared/verdict.tsx';
import { useHere } from '#/platform/here.ts';
import { Chip } from '#/ui/chip.tsx';

function useNearestPark(here: LatLong | null): number | null {
  const parks = useParkList().data;
  return useMemo(() => {
    if (!here || !parks) return null;
    const away = parks.map(({ location }) => distanceBetween(here, location));
    return parks[away.indexOf(Math.min(...away))]?.id ?? null;
  }, [here, parks]);
}

const route = getRouteApi('/parks/');

export function ParksScreen() {
  const t = useT();
  const address = route.useSearch();
  const search = useMemo(() => {
    const parsed = parseParkSearch({ ...address });
    return { ...parsed, sort: parsed.sort ?? usedOrder() };
  }, [address]);
  const navigate = route.useNavigate();
  const here = useHere().place;
  const myParkId = useMyVisit()?.park_id;
  const { snapshot, hasForecast } = useRankingSnapshot({
    around: here ?? startPlace(),
    from: here,
    isLocated: here !== null,
    nearest: useNearestPark(here),
  });
  const { bestFirst, best } = useMemo(() => {
    /** The ranking of each park, with the reasons that all ranked parks share. */
    const best = new WeakMap<ListedPark, Ranked & { shared: Shared }>();
    const bestFirst = (parks: readonly ListedPark[]) => {
      const byId = new Map(parks.map((park) => [park.id, park]));
      const ranked = rankSnapshot(
        snapshot,
        parks.map((park) => ({ ...park, busyHours: undefined })),
      );
      const shared = sharedOf(ranked.map(({ verdict }) => verdict));
      return ranked.flatMap((each) => {
        const park = byId.get(each.id);
        if (park) best.set(park, { ...each, shared });
        return park ?? [];
      });
    };
    return { bestFirst, best };
  }, [snapshot]);
  const known = (park: ListedPark) => (search.sort === 'best' ? best.get(park) : undefined);
  return (
    <ParkListScreen
      search={search}
      here={here}
      bestFirst={bestFirst}
      shared={(first) => {
        const shared = known(first)?.shared;
        return shared && <SharedLine {...shared} noForecast={hasForecast === false} />;
      }}
      friends={useFriendsNow(useSession().status === 'in')}
      verdict={(park) => {
        const { verdict = null, shared, highlight } = known(park) ?? {};
        return (
          <>
            {park.id === myParkId && (
              <span>
                <Chip tone="park">{t('checkIns.here.title')}</Chip>
              </span>
            )}
            {!(shared && isCovered(verdict, shared)) && <CardVerdict park={park} />}
            {highlight && <HighlightLine highlight={highlight} />}
          </>
        );
      }}
      scene={(park) => <Scene place={park.location} dogs={park.live?.dogs_now ?? 0} />}
      onSearch={(patch) => {
        const order = PARK_ORDERS.find((each) => each === patch.sort);
        if (order) rememberOrder(order);
        void navigate({
          search: (now) => ({ ...now, ...patch }),
          replace: true,
          resetScroll: false,
        });
      }}
    />
  );
}
