// On which day a meeting is, in words: today, tomorrow, or a weekday with its date. Days are those at the parks.
import { PARK_TIME_ZONE } from '#/core/park-time.ts';

const DAY_MS = 86_400_000;

/** Midnight of the park's day that a moment lies in, as if it were UTC: such days can be subtracted. */
function dayOf(moment: Date): number {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: PARK_TIME_ZONE }).format(moment);
  return Date.parse(parts);
}

/** @param locale a BCP 47 tag for Intl */
export function meetingDay(meetAt: Date, now: Date, locale: string): string {
  const days = (dayOf(meetAt) - dayOf(now)) / DAY_MS;
  if (Math.abs(days) <= 1)
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  return new Intl.DateTimeFormat(locale, {
    timeZone: PARK_TIME_ZONE,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(meetAt);
}
