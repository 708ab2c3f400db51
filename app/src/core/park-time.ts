// The time at the parks: hours are those of Asia/Jerusalem, and the weekend is Friday and Saturday.
export const PARK_TIME_ZONE = 'Asia/Jerusalem';

export type DayKind = 'weekday' | 'weekend';

export interface ParkHour {
  /** 0 to 23. */
  hour: number;
  dayKind: DayKind;
}

let parts: Intl.DateTimeFormat | null = null;
/** A screen full of parks asks for the same minute again and again. */
let latest: { minute: number; found: ParkHour } | null = null;

/** The hour and the kind of day at the parks at a moment. */
export function parkHour(moment: Date): ParkHour {
  const minute = Math.floor(moment.getTime() / 60_000);
  if (latest?.minute !== minute) latest = { minute, found: readHour(moment) };
  return latest.found;
}

function readHour(moment: Date): ParkHour {
  // Made once, and not while the app starts: the first of its kind costs a slow phone a tenth of a second.
  parts ??= new Intl.DateTimeFormat('en-US', {
    timeZone: PARK_TIME_ZONE,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const found = Object.fromEntries(
    parts.formatToParts(moment).map(({ type, value }) => [type, value]),
  );
  const weekend = found.weekday === 'Fri' || found.weekday === 'Sat';
  return { hour: Number(found.hour), dayKind: weekend ? 'weekend' : 'weekday' };
}

/** A clock time at the parks, such as 17:30, in a language's digits. */
export function formatParkTime(moment: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone: PARK_TIME_ZONE,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(moment);
}

/** A full hour as a clock time, such as 17:00. */
export function formatHour(hour: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(Date.UTC(2000, 0, 1, hour)));
}
