// Time in the parks' time zone, with the site's weekend and clock format.
import { DAY_MINUTES, DAY_MS } from './durations.ts';

let zone = 'Asia/Jerusalem';
let weekend = [5, 6];
let twelve = false;

/** Called once with the configuration. @param days weekdays of the weekend, 0 is Sunday @param hours 12 or 24 */
export function setParkTime(timeZone: string, days: number[], hours = 24): void {
  zone = timeZone;
  weekend = days;
  twelve = hours === 12;
  clock = null;
  latest = null;
}

export const parkTimeZone = (): string => zone;

export type DayType = 'weekday' | 'weekend';

export interface ParkHour {
  /** Hour of the day, 0 to 23. */
  hour: number;
  dayType: DayType;
}

/** Cached, because all parks on a screen need the hour of the same minute. */
let latest: { minute: number; found: ParkHour } | null = null;

export function parkHour(date: Date): ParkHour {
  const minute = Math.floor(date.getTime() / 60_000);
  if (latest?.minute !== minute) {
    const there = parkClock(date);
    const found = { hour: Math.floor(there.minute / 60), dayType: dayTypeOf(there.day) };
    latest = { minute, found };
  }
  return latest.found;
}

/** @param day days since 1970-01-01, which was a Thursday */
export const dayTypeOf = (day: number): DayType =>
  weekend.includes((day + 4) % 7) ? 'weekend' : 'weekday';

/** Intl options for a time of day. @param whole true for a full hour, which a 12-hour clock shows as 5 pm instead of 5:00 pm */
export const clockFormat = (whole = false): Intl.DateTimeFormatOptions =>
  twelve
    ? { hour: 'numeric', hourCycle: 'h12', ...(whole ? {} : { minute: '2-digit' }) }
    : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

export const formatParkTime = (date: Date, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, ...clockFormat() }).format(date);

/** Formats an hour of the day: 17 as 17:00, 17.5 as 17:30. */
export function formatHour(hour: number, locale: string): string {
  const minutes = Math.round(hour * 60);
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    ...clockFormat(minutes % 60 === 0),
  }).format(new Date(Date.UTC(2000, 0, 1, 0, minutes)));
}

let clock: Intl.DateTimeFormat | null = null;

/** Park-local day (since 1970-01-01) and minutes after midnight. */
export function parkClock(date: Date): { day: number; minute: number } {
  // Created on first use, not at start-up, because the first formatter takes 100 ms on a slow phone.
  clock ??= new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const found = Object.fromEntries(
    clock.formatToParts(date).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = found;
  return { day: Date.UTC(year, month - 1, day) / DAY_MS, minute: hour * 60 + minute };
}

/** Offset of park time from UTC in minutes, at noon of a day (since 1970-01-01). */
export function parkOffset(day: number): number {
  const noon = parkClock(new Date((day + 0.5) * DAY_MS));
  return (noon.day - day) * DAY_MINUTES + noon.minute - 720;
}
