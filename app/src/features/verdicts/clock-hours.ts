// Computes the next 24 hours of a park for the paw clock: ground temperature, shade, usual dogs, and good times to go.
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.ts';
import type { OpenSpan } from '../../../../shared/opening-hours/open-now.ts';
import { parkClock, parkHour } from '../../../../shared/park-time.ts';
import { groundsOf } from '../../../../shared/park-facts.ts';
import {
  groundTemperature,
  type HourOfSun,
  parkGround,
} from '../../../../shared/verdict/ground-temperature.ts';
import { type KnownOfPark, parkVerdict } from '../../../../shared/verdict/park-verdict.ts';
import { isShaded, isSunUp, sunOf } from '../../../../shared/verdict/shade.ts';
import { isGood, usualAt, type Verdict } from '../../../../shared/verdict/verdict.ts';
import type { HourWeather } from '../../../../shared/verdict/weigh-weather.ts';

type Weather = HourWeather & HourOfSun;

export interface ClockHour {
  /** Start in milliseconds since the epoch; for the first hour, the current time. */
  moment: number;
  /** Hour of the day, 0 to 23. */
  hour: number;
  verdict: Verdict | null;
  isGood: boolean;
  /** True if the hour is good except for one thing, such as mud. */
  isFair: boolean;
  weather: Weather | null;
  /** Temperature of the park's coolest ground; null if the ground or the forecast is unknown. */
  ground: number | null;
  /** Temperature of asphalt in the sun, for the walk to the park. */
  asphalt: number | null;
  light: 'sun' | 'shade' | 'none' | null;
  /** The usual number of dogs; null if unknown. */
  dogs: number | null;
}

/** @param weatherFrom returns the hourly forecast that starts at a given time */
export function clockHours(
  known: Omit<KnownOfPark, 'moment' | 'weather'> & { moment: number },
  weatherFrom: (moment: Date) => readonly Weather[],
): ClockHour[] {
  const { live, facts, busyHours } = known;
  const grounds = groundsOf(facts?.materials);
  const shade = facts?.shade ?? null;
  const clock = parkClock(new Date(known.moment));
  const minute = clock.minute % 60;
  const sunToday = sunOf(known.place, clock.day);
  const begun = (Math.floor(known.moment / MINUTE_MS) - minute) * MINUTE_MS;
  return Array.from({ length: 24 }, (_, after) => {
    const moment = after === 0 ? known.moment : begun + after * HOUR_MS;
    const { hour, dayType } = parkHour(new Date(moment));
    const weather = weatherFrom(new Date(moment));
    const sun = weather.find((each) => each.hour === hour) ?? null;
    const verdict = parkVerdict({
      ...known,
      travel: after === 0 ? (known.travel ?? 0) : 0,
      live: live && (after === 0 ? live : { ...live, dogs: null }),
      moment: new Date(moment),
      weather,
    });
    return {
      moment,
      hour,
      verdict,
      isGood: isGood(verdict),
      isFair: verdict?.type === 'withCare',
      weather: sun,
      ground: sun && parkGround(grounds, sun, shade, sunToday),
      asphalt: sun && groundTemperature('ASPHALT', sun, false),
      light: !isSunUp(hour, sunToday)
        ? 'none'
        : shade === null
          ? null
          : isShaded(hour, shade, sunToday)
            ? 'shade'
            : 'sun',
      dogs: usualAt(busyHours ?? [], dayType, hour),
    };
  });
}

/** Returns the spans of consecutive hours that match, in minutes after midnight. Minutes beyond 24 hours are tomorrow. */
export function windowsOf(
  hours: readonly ClockHour[],
  isSuch: (hour: ClockHour) => boolean,
): OpenSpan[] {
  const windows: OpenSpan[] = [];
  hours.forEach((each, at) => {
    if (!isSuch(each)) return;
    const last = windows.at(-1);
    const before = hours[at - 1];
    if (last && before && isSuch(before)) last.to += 60;
    else windows.push({ from: each.hour * 60, to: (each.hour + 1) * 60 });
  });
  return windows;
}
