// The time at the parks, by the site's time zone and weekend.
import { DAY_MINUTES, DAY_MS } from '#/core/durations.ts';

let zone = 'Asia/Jerusalem';
let weekend = [5, 6];
let twelve = false;

/** Called once, when the configuration is known. @param days of the weekend, 0 is Sunday @param hours that clocks show */
export function setParkTime(timeZone: string, days: number[], hours = 24): void {
  zone = timeZone;
  weekend = days;
  twelve = hours === 12;
  clock = null;
  latest = null;
}

export const parkTimeZone = (): string => zone;

export type DayKind = 'weekday' | 'weekend';

export interface ParkHour {
  /** 0 to 23. */
  hour: number;
  dayKind: DayKind;
}

/** A screen full of parks asks for the same minute again and again. */
let latest: { minute: number; found: ParkHour } | null = null;

export function parkHour(moment: Date): ParkHour {
  const minute = Math.floor(moment.getTime() / 60_000);
  if (latest?.minute !== minute) {
    const there = parkClock(moment);
    const found = { hour: Math.floor(there.minute / 60), dayKind: dayKindOf(there.day) };
    latest = { minute, found };
  }
  return latest.found;
}

/** @param day since 1970-01-01, a Thursday */
export const dayKindOf = (day: number): DayKind =>
  weekend.includes((day + 4) % 7) ? 'weekend' : 'weekday';

/** How Intl writes a clock time. @param whole an hour's beginning, which a clock of twelve hours writes as 5 pm */
export const clockFormat = (whole = false): Intl.DateTimeFormatOptions =>
  twelve
    ? { hour: 'numeric', hourCycle: 'h12', ...(whole ? {} : { minute: '2-digit' }) }
    : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

export const formatParkTime = (moment: Date, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, ...clockFormat() }).format(moment);

/** An hour of the day as a clock time: 17 is 17:00, 17.5 is 17:30. */
export function formatHour(hour: number, locale: string): string {
  const minutes = Math.round(hour * 60);
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    ...clockFormat(minutes % 60 === 0),
  }).format(new Date(Date.UTC(2000, 0, 1, 0, minutes)));
}

let clock: Intl.DateTimeFormat | null = null;

/** The day (since 1970-01-01) and the minute after midnight that a clock at the parks shows. */
export function parkClock(moment: Date): { day: number; minute: number } {
  // Made once, and not while the app starts: the first of its kind costs a slow phone a tenth of a second.
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
    clock.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = found;
  return { day: Date.UTC(year, month - 1, day) / DAY_MS, minute: hour * 60 + minute };
}

/** Minutes that clocks at the parks are ahead of UTC at noon of a day (since 1970-01-01). */
export function parkOffset(day: number): number {
  const noon = parkClock(new Date((day + 0.5) * DAY_MS));
  return (noon.day - day) * DAY_MINUTES + noon.minute - 720;
}
