// What the 'go now' rule is asked for a park, wherever its verdict is shown: one place puts the facts together.
import { useQuery } from '@tanstack/react-query';
import type { ParkFacts } from '#/features/parks/find-parks.ts';
import { goNow, type BusyHour, type GoNow, type GoNowInput } from '#/features/parks/go-now.ts';
import { busyHoursQueryOptions } from '#/features/parks/queries/busy-hours.ts';
import { useParkLive } from '#/features/parks/queries/park-live.ts';
import { parkDetailsQueryOptions } from '#/features/parks/queries/park-details.ts';
import { parkQueryOptions } from '#/features/parks/queries/park.ts';
import { type Forecast, readingsFrom, weatherWord } from '#/features/weather/forecast.ts';
import { weatherQueryOptions } from '#/features/weather/queries/weather.ts';
import type { LatLong } from '#/core/distance.ts';
import { parkHour } from '#/core/park-time.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import { useNow } from '#/core/use-now.ts';

interface Facts {
  moment: Date;
  /** Of this moment; null where only an old answer or none is known. */
  live: GoNowInput['live'];
  /** Reported there as far as anybody knows, also by an old answer: better to warn too long. */
  hazards: GoNowInput['hazards'];
  park: Pick<ParkFacts, 'shade' | 'size_label'> | undefined;
  forecast: Forecast | undefined;
  busyHours: readonly BusyHour[] | undefined;
}

export function goNowInput({
  moment,
  live,
  hazards,
  park,
  forecast,
  busyHours,
}: Facts): GoNowInput {
  return {
    ...parkHour(moment),
    live,
    size: park?.size_label ?? null,
    shade: park?.shade ?? null,
    // Parks are in one time zone, so the forecast's local hour is the park's.
    weather: (forecast ? readingsFrom(forecast, moment) : []).map((reading) => ({
      hour: Number(reading.time.slice(11, 13)),
      temperature: reading.temperature,
      rain: reading.precipitationProbability,
      thunder: weatherWord(reading.weatherCode) === 'thunderstorm',
    })),
    busyHours: busyHours ?? [],
    // Nobody tells these yet.
    opening: null,
    hazards,
  };
}

/**
 * The verdict of a park on a card; its facts are asked for only while `seen`, and shared with the park's page.
 * @returns undefined while facts that may change it are on their way
 */
export function useGoNow(parkId: number, place: LatLong, seen: boolean): GoNow | null | undefined {
  const moment = new Date(useNow(60_000));
  // Beside the list, the facts of all parks are here already, or on their way.
  const details = useQuery({ ...parkDetailsQueryOptions(), enabled: false });
  const listed = details.data?.[parkId];
  const park = useQuery({
    ...parkQueryOptions(parkId),
    enabled: seen && !listed && details.fetchStatus !== 'fetching',
  });
  const busyHours = useQuery({ ...busyHoursQueryOptions(parkId), enabled: seen });
  const forecast = useQuery({ ...weatherQueryOptions(place), enabled: seen });
  const counts = useParkLive();
  const asOf = useAsOf(counts.dataUpdatedAt);
  if (
    !seen ||
    (!listed && park.isPending) ||
    busyHours.isPending ||
    forecast.isPending ||
    counts.isPending
  )
    return undefined;
  const known = counts.data?.[parkId];
  return goNow(
    goNowInput({
      moment,
      // The answer names only parks with something to say; the others are known to be empty.
      live:
        counts.data && !asOf
          ? { dogs: known?.dogs_now ?? 0, conditions: known?.conditions ?? [] }
          : null,
      hazards: known?.hazards ?? [],
      park: park.data ?? listed,
      forecast: forecast.data,
      busyHours: busyHours.data,
    }),
  );
}
