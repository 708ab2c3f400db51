// A park's verdict on cards and pages, with the queries for the data that it depends on.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useShownTime } from '#/core/shown-time.ts';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { travelMinutes } from '#/core/travel-time.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import { useSeen } from '#/core/use-seen.ts';
import { closuresNow } from '#/entities/parks/conditions.ts';
import { readDogStates } from '#/entities/dogs/dog-states.ts';
import { parkCardQueryOptions, useBusyHours } from '#/entities/parks/park-card.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';
import { useParkLive } from '#/entities/parks/park-live.ts';
import { hazardsNow, useParkStatus } from '#/entities/parks/park-status.ts';
import { type Park, parkQueryOptions } from '#/entities/parks/park.ts';
import { VerdictLine } from '#/features/verdicts/components/verdict-line.tsx';
import { liveAt } from '../../../../shared/verdict/live-counts.ts';
import { parkVerdict } from '../../../../shared/verdict/park-verdict.ts';
import type { Verdict } from '../../../../shared/verdict/verdict.ts';
import { hoursAhead } from '../../../../shared/verdict/forecast.ts';
import { useWeather, weatherQueryOptions } from '#/features/weather/queries/weather.ts';
import { useStart } from '#/platform/here.ts';
import { Skeleton } from '#/ui/skeleton.tsx';

/** Includes facts if they are known from the list. */
interface PlacedPark {
  id: number;
  location: LatLong;
  facts?: ParkFacts;
}

/** Minutes until the user can be there; 0 at another hour or without a known location. */
function useTravel(place: LatLong): number {
  const start = useStart();
  return useShownTime().isNow && start ? travelMinutes(distanceBetween(start, place)) : 0;
}

/** Returns the verdict on a card, or undefined while facts that may change it are loading. @param seen false to send no requests */
export function useCardVerdict(
  { id, location, facts }: PlacedPark,
  seen: boolean,
): Verdict | null | undefined {
  const { timestamp, isNow } = useShownTime();
  const moment = new Date(timestamp);
  const park = useQuery({ ...parkQueryOptions(id), enabled: seen && !facts });
  const card = useQuery({ ...parkCardQueryOptions(id), enabled: seen });
  const forecast = useQuery({ ...weatherQueryOptions(location), enabled: seen });
  const counts = useParkLive();
  const travel = useTravel(location);
  const asOf = useAsOf(counts.dataUpdatedAt);
  const isLoading =
    (!facts && park.isPending) || card.isPending || forecast.isPending || counts.isPending;
  if (!seen || isLoading) return undefined;
  return parkVerdict({
    moment,
    travel,
    own: readDogStates(),
    live: liveAt(asOf ? undefined : counts.data, id, isNow),
    hazards: counts.data?.[id]?.hazards ?? [],
    facts: park.data ?? facts,
    place: location,
    weather: hoursAhead(forecast.data, moment),
    busyHours: card.data?.busyHours,
  });
}

export function usePageVerdict(park: Park): Verdict | null {
  const { timestamp, isNow } = useShownTime();
  const moment = new Date(timestamp);
  const { data: status, dataUpdatedAt } = useParkStatus(park.id);
  const asOf = useAsOf(dataUpdatedAt);
  return parkVerdict({
    moment,
    travel: useTravel(park),
    own: readDogStates(),
    // Current conditions must not come from an outdated status.
    live:
      status && !asOf
        ? {
            dogs: isNow ? status.dogs_now : null,
            conditions: [
              ...closuresNow(status.notices),
              ...status.conditions.map(({ condition }) => condition),
            ],
          }
        : null,
    hazards: status ? hazardsNow(status) : [],
    facts: park,
    place: park,
    weather: hoursAhead(useWeather(park), moment),
    busyHours: useBusyHours(park.id).data,
  });
}

/** A park's verdict on a card, fetched once the card is visible. */
export function CardVerdict({ park }: { park: PlacedPark }) {
  const ref = useRef<HTMLSpanElement>(null);
  const seen = useSeen(ref);
  const verdict = useCardVerdict(park, seen);
  return (
    <span ref={ref}>
      {verdict === undefined
        ? seen && <Skeleton width="8rem" height="1.2rem" />
        : verdict && <VerdictLine verdict={verdict} />}
    </span>
  );
}
