// Collects the snapshot by which parks are ranked, and fetches everything it needs.
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { LatLong } from '#/core/distance.ts';
import { useShownTime } from '#/core/shown-time.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import { readDogStates } from '#/entities/dogs/dog-states.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { useSession } from '#/data/session/session.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { useMeetings } from '#/features/park-invites/queries/meetings.ts';
import { forecastCell } from '../../../../shared/verdict/forecast.ts';
import { weatherQueryOptions } from '#/features/weather/queries/weather.ts';
import type { RankingSnapshot } from '#/screens/shared/park-ranking.ts';

interface SnapshotOptions {
  around: LatLong;
  from: LatLong | null;
  isLocated: boolean;
  nearest: number | null;
  /** The parks whose forecasts are needed, one per cell. */
  parks?: readonly { location: LatLong }[];
}

const NO_PARKS: readonly { location: LatLong }[] = [];

export function useRankingSnapshot(options: SnapshotOptions) {
  const { around, from, isLocated, nearest, parks = NO_PARKS } = options;
  const { timestamp, isNow } = useShownTime();
  const { userId } = useSession();
  const isIn = userId !== null;
  const { data: counts, dataUpdatedAt, isPending } = useParkLive();
  const isLive = useAsOf(dataUpdatedAt) === null;
  const cells = useMemo(
    () =>
      new Map(
        [around, ...parks.map(({ location }) => location)].map((at) => [
          String(forecastCell(at)),
          at,
        ]),
      ),
    [around, parks],
  );
  const weather = useQueries({
    queries: [...cells.values()].map(weatherQueryOptions),
    combine: (results) => ({
      isPending: results.some((result) => result.isPending),
      data: results.map(({ data }) => data),
    }),
  });
  const friends = useFriendsNow(isIn);
  const dogs = useCompanions(userId);
  const favourites = useQuery({ ...favouritesQueryOptions(), enabled: isIn }).data;
  const meetings = useMeetings(isIn).data;
  const { puppy, inHeat } = readDogStates();

  const snapshot = useMemo(
    (): RankingSnapshot => ({
      timestamp,
      isNow,
      around,
      from,
      isLocated,
      nearest,
      counts,
      isLive,
      forecasts: new Map(
        [...cells.keys()].flatMap((cell, at) => {
          const forecast = weather.data[at];
          return forecast ? [[cell, forecast] as const] : [];
        }),
      ),
      friends,
      dogs: dogs ?? [],
      dogStates: { puppy, inHeat },
      favourites: favourites ?? [],
      meetings: meetings ?? [],
    }),
    [
      timestamp,
      isNow,
      around,
      from,
      isLocated,
      nearest,
      counts,
      isLive,
      cells,
      weather.data,
      friends,
      dogs,
      puppy,
      inHeat,
      favourites,
      meetings,
    ],
  );

  return {
    snapshot,
    /** True while the counts, the forecast or the user's dogs are loading. */
    isLoading: isPending || weather.isPending || (isIn && !dogs),
    /** Null while the forecast is loading. */
    hasForecast: weather.isPending ? null : snapshot.forecasts.size > 0,
  };
}
