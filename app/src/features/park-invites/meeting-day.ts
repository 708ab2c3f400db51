// On which day a meeting is, in words: today, tomorrow, or a weekday with its date. Days are those at the parks.
import { parkTimeZone, parkClock } from '#/core/park-time.ts';

/** @param locale a BCP 47 tag for Intl */
export function meetingDay(meetAt: Date, now: Date, locale: string): string {
  const days = parkClock(meetAt).day - parkClock(now).day;
  if (Math.abs(days) <= 1)
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
  return new Intl.DateTimeFormat(locale, {
    timeZone: parkTimeZone(),
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(meetAt);
}
