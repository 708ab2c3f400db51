// The best of some parks for this hour and one's own dogs: what is known of them, put together for the ranking.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMoment } from '#/core/chosen-hour.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { parkClock, parkHour } from '#/core/park-time.ts';
import { sunPhase } from '#/core/sun.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import type { BusyHour } from '#/entities/parks/park-card.ts';
import type { ParkFacts } from '#/entities/parks/park-facts.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { useSession } from '#/data/session/session.ts';
import { dogNeeds } from '#/features/dogs/dog-needs.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { hourOfMeeting } from '#/features/park-invites/going.ts';
import { meetingsQueryOptions } from '#/features/park-invites/queries/meetings.ts';
import { liveAt, parkVerdict } from '#/features/verdicts/park-verdict.ts';
import { type Ranked, rankParks } from '#/features/verdicts/ranking.ts';
import { sunOf } from '#/features/verdicts/shade.ts';
import { usualAt } from '#/features/verdicts/verdict.ts';
import { hoursAhead } from '#/features/weather/forecast.ts';
import { weatherQueryOptions } from '#/features/weather/queries/weather.ts';

interface ParkToRank {
  id: number;
  location: LatLong;
  rank: number | null;
  facts: ParkFacts;
  busyHours: readonly BusyHour[] | undefined;
}

interface RankingOptions {
  /** Place of the forecast; the service's grid is about five kilometres. */
  around: LatLong;
  /** Where ways begin; null where unknown. */
  from: LatLong | null;
  /** ID of the park nearest to the known location. */
  nearest: number | null;
}

export function useBest({ around, from, nearest }: RankingOptions) {
  const { moment: at, isNow } = useMoment();
  const { userId } = useSession();
  const isIn = userId !== null;
  const counts = useParkLive();
  const asOf = useAsOf(counts.dataUpdatedAt);
  const live = asOf ? undefined : counts.data;
  const forecast = useQuery(weatherQueryOptions(around));
  const friends = useFriendsNow(isIn);
  const dogs = useCompanions(userId);
  const favourites = useQuery({ ...favouritesQueryOptions(), enabled: isIn }).data;
  const meetings = useQuery({ ...meetingsQueryOptions(), enabled: isIn }).data;

  const rank = useMemo(() => {
    const moment = new Date(at);
    const { hour, dayKind } = parkHour(moment);
    const weather = hoursAhead(forecast.data, moment);
    const needs = dogNeeds(dogs ?? []);
    const dark = sunPhase(moment, around) === 'night';
    const sun = sunOf(around, parkClock(moment).day);
    return (parks: readonly ParkToRank[]): Ranked[] => {
      const candidates = parks.map(({ id, location, rank, facts, busyHours }) => {
        const known = liveAt(live, id, isNow);
        const hazards = counts.data?.[id]?.hazards ?? [];
        return {
          id,
          verdict: parkVerdict({
            moment,
            live: known,
            hazards,
            facts,
            place: location,
            weather,
            busyHours,
          }),
          distance: from && distanceBetween(from, location),
          dogs: known && known.dogs,
          usual: usualAt(busyHours ?? [], dayKind, hour),
          friends: isNow ? friends.filter(({ park_id }) => park_id === id).length : 0,
          meeting: hourOfMeeting(meetings, id, moment),
          hazards,
          favourite: favourites?.includes(id) ?? false,
          rank,
          facts,
        };
      });
      return rankParks(candidates, { hour, dark, sun, needs, nearest });
    };
  }, [
    at,
    isNow,
    around,
    from,
    nearest,
    live,
    counts.data,
    forecast.data,
    friends,
    dogs,
    favourites,
    meetings,
  ]);

  return {
    rank,
    /** What decides most is on its way. */
    isComing: counts.isPending || forecast.isPending || (isIn && !dogs),
    /** Null: on its way. */
    hasForecast: forecast.isPending ? null : forecast.data !== undefined,
  };
}
