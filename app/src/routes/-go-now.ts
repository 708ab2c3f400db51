// What the 'go now' rule is asked for a park, wherever its verdict is shown: one place puts the facts together.
import { useQuery } from '@tanstack/react-query';
import type { ParkFacts } from '#/features/parks/find-parks.ts';
import { goNow, type BusyHour, type GoNow, type GoNowInput } from '#/features/parks/go-now.ts';
import { groundTemperature, parkGround } from '#/features/parks/ground-temperature.ts';
import { hoursOfPark, openingAhead } from '#/features/parks/hours-of-park.ts';
import { type Ground, GROUNDS } from '#/features/parks/park-search.ts';
import { parkCardQueryOptions } from '#/features/parks/queries/park-card.ts';
import { useParkLive } from '#/features/parks/queries/park-live.ts';
import { parkQueryOptions } from '#/features/parks/queries/park.ts';
import { type Forecast, readingsFrom, weatherWord } from '#/features/weather/forecast.ts';
import { weatherQueryOptions } from '#/features/weather/queries/weather.ts';
import type { LatLong } from '#/core/distance.ts';
import { dayKindOf, parkClock, parkHour } from '#/core/park-time.ts';
import { useAsOf } from '#/core/use-as-of.ts';
import { useNow } from '#/core/use-now.ts';

interface Facts {
  moment: Date;
  /** Of this moment; null where only an old answer or none is known. */
  live: GoNowInput['live'];
  /** Reported there as far as anybody knows, also by an old answer: better to warn too long. */
  hazards: GoNowInput['hazards'];
  park: ParkFacts | undefined;
  /** Where the park is: the sun opens some of them. */
  place: LatLong;
  forecast: Forecast | undefined;
  busyHours: readonly BusyHour[] | undefined;
}

/** What a forecast says of the hours from this one on. Parks are in one time zone, so its local hour is the park's. */
export const hoursOfForecast = (forecast: Forecast | undefined, moment: Date) =>
  (forecast ? readingsFrom(forecast, moment) : []).map((reading) => ({
    hour: reading.hour,
    temperature: reading.temperature,
    rain: reading.precipitationProbability,
    thunder: weatherWord(reading.weatherCode) === 'thunderstorm',
    radiation: reading.radiation,
  }));

/** A park's surfaces that we know the warmth of. */
export const groundsOf = (materials: readonly string[] | null | undefined): Ground[] =>
  GROUNDS.filter((ground) => materials?.includes(ground));

export function goNowInput(facts: Facts): GoNowInput {
  const { moment, live, hazards, park, place, forecast, busyHours } = facts;
  const { day, minute } = parkClock(moment);
  const shade = park?.shade ?? null;
  const grounds = groundsOf(park?.materials);
  return {
    ...parkHour(moment),
    minute: minute % 60,
    tomorrowKind: dayKindOf(day + 1),
    live,
    size: park?.size_label ?? null,
    shade,
    weather: hoursOfForecast(forecast, moment).map((hour) => ({
      ...hour,
      ground: parkGround(grounds, hour, shade),
      asphalt: groundTemperature('ASPHALT', hour, false),
    })),
    busyHours: busyHours ?? [],
    opening: openingAhead(park ? hoursOfPark(park.facts, place) : null, day),
    hazards,
  };
}

/**
 * The verdict of a park on a card; what it rests on is asked for only while `seen`, and shared with the park's page.
 * @param park with its facts, where the list has told them
 * @returns undefined while facts that may change it are on their way
 */
export function useGoNow(
  { id, location, facts }: { id: number; location: LatLong; facts?: ParkFacts },
  seen: boolean,
): GoNow | null | undefined {
  const moment = new Date(useNow(60_000));
  const park = useQuery({ ...parkQueryOptions(id), enabled: seen && !facts });
  const card = useQuery({ ...parkCardQueryOptions(id), enabled: seen });
  const forecast = useQuery({ ...weatherQueryOptions(location), enabled: seen });
  const counts = useParkLive();
  const asOf = useAsOf(counts.dataUpdatedAt);
  if (
    !seen ||
    (!facts && park.isPending) ||
    card.isPending ||
    forecast.isPending ||
    counts.isPending
  )
    return undefined;
  const known = counts.data?.[id];
  return goNow(
    goNowInput({
      moment,
      // The answer names only parks with something to say; the others are known to be empty.
      live:
        counts.data && !asOf
          ? { dogs: known?.dogs_now ?? 0, conditions: known?.conditions ?? [] }
          : null,
      hazards: known?.hazards ?? [],
      park: park.data ?? facts,
      place: location,
      forecast: forecast.data,
      busyHours: card.data?.busyHours,
    }),
  );
}
