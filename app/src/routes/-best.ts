// The best of some parks for this hour and one's own dogs: what is known of them, put together for the ranking.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMoment } from '#/core/chosen-hour.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { parkClock, parkHour } from '#/core/park-time.ts';
import { sunPhase } from '#/core/sun.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import type { BusyHour } from '#/data/parks/park-card.ts';
import type { ParkFacts } from '#/data/parks/park-facts.ts';
import { useParkLive } from '#/data/parks/park-live.ts';
import { useSession } from '#/data/session/session.ts';
import { dogNeeds } from '#/features/dogs/dog-needs.ts';
import { useCompanions } from '#/features/dogs/use-companions.ts';
import { favouritesQueryOptions } from '#/features/favourites/queries/favourites.ts';
import { useFriendsNow } from '#/features/friendships/queries/friends-now.ts';
import { meetingsQueryOptions } from '#/features/park-invites/queries/meetings.ts';
import { parkVerdict } from '#/features/verdicts/park-verdict.ts';
import { type Ranked, rankParks } from '#/features/verdicts/ranking.ts';
import { sunOf } from '#/features/verdicts/shade.ts';
import { usualAt, type Verdict } from '#/features/verdicts/verdict.ts';
import { hoursAhead } from '#/features/weather/forecast.ts';
import { weatherQueryOptions } from '#/features/weather/queries/weather.ts';

interface ParkToRank {
  id: number;
  location: LatLong;
  rank: number | null;
  facts: ParkFacts;
  busyHours: readonly BusyHour[] | undefined;
}

export interface BestPark extends Ranked {
  verdict: Verdict | null;
}

/** `around`: whose weather it is: the service knows no better than about five kilometres. `from`: where ways begin; null where unknown. */
export function useBest(around: LatLong, from: LatLong | null) {
  const { moment: at, isNow } = useMoment();
  const { userId } = useSession();
  const isIn = userId !== null;
  const counts = useParkLive();
  const asOf = useAsOf(counts.dataUpdatedAt);
  const live = asOf ? undefined : counts.data;
  const hazards = counts.data;
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
    const meetingAt = (id: number) => {
      const at = meetings?.find(
        ({ park_id, status, invite_id }) =>
          park_id === id && (invite_id === null || status === 'accepted'),
      )?.meet_at;
      if (at === undefined) return null;
      const [then, today] = [parkClock(new Date(at)), parkClock(moment)];
      return (then.day - today.day) * 24 + then.minute / 60;
    };
    return (parks: readonly ParkToRank[]): BestPark[] => {
      const verdicts = new Map<number, Verdict | null>();
      const candidates = parks.map(({ id, location, rank, facts, busyHours }) => {
        const known = live?.[id];
        const reported = hazards?.[id]?.hazards ?? [];
        const verdict = parkVerdict({
          moment,
          // The answer names only parks with something to say; the others are known to be empty.
          live: live
            ? { dogs: isNow ? (known?.dogs_now ?? 0) : null, conditions: known?.conditions ?? [] }
            : null,
          hazards: reported,
          facts,
          place: location,
          weather,
          busyHours,
        });
        verdicts.set(id, verdict);
        return {
          id,
          verdict,
          distance: from && distanceBetween(from, location),
          dogs: live && isNow ? (known?.dogs_now ?? 0) : null,
          usual: usualAt(busyHours ?? [], dayKind, hour),
          friends: isNow ? friends.filter(({ park_id }) => park_id === id).length : 0,
          meeting: meetingAt(id),
          hazards: reported,
          favourite: favourites?.includes(id) ?? false,
          rank,
          facts,
        };
      });
      const dark = sunPhase(moment, around) === 'night';
      const sun = sunOf(around, parkClock(moment).day);
      return rankParks(candidates, { hour, dark, sun, needs }).map((ranked) => ({
        ...ranked,
        verdict: verdicts.get(ranked.id) ?? null,
      }));
    };
  }, [at, isNow, around, from, live, hazards, forecast.data, friends, dogs, favourites, meetings]);

  return {
    rank,
    /** What decides most is on its way. */
    isComing: counts.isPending || forecast.isPending || (isIn && !dogs),
    /** Null: on its way. */
    hasForecast: forecast.isPending ? null : forecast.data !== undefined,
  };
}
