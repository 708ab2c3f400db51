// When a meeting may be: times as a datetime-local field wants them (the device's clock, no zone, no seconds), and days in words.
import { DAY_MS, MINUTE_MS } from '#/core/durations.ts';
import { parkClock, parkTimeZone } from '#/core/park-time.ts';
import { MAX_DAYS } from '#/features/park-invites/invite-limits.ts';
import type { MessageKey } from '#/i18n/i18n.ts';

export const MEETING_WORDS = ['now', 'twenty', 'evening', 'other'] as const;

/** How people say when; 'other' is a time of their own. */
export type MeetingWord = (typeof MEETING_WORDS)[number];

const ON_THE_WAY_MINUTES = 5;
/** A time of their own is proposed at least so far away. */
const PROPOSED_FROM_MINUTES = 10;
const HALF_HOUR_MS = 30 * MINUTE_MS;
const EVENING_HOUR = 18;
/** From this long before the evening on, 'this evening' is soon. */
const EVENING_UNTIL_MINUTES = 30;

/** The moment that a word means, to the minute; null for 'other', and for this evening once it is here. */
export function momentOf(word: MeetingWord, now: Date): Date | null {
  const inMinutes = (minutes: number) =>
    new Date(Math.ceil(now.getTime() / MINUTE_MS + minutes) * MINUTE_MS);
  if (word === 'now') return inMinutes(ON_THE_WAY_MINUTES);
  if (word === 'twenty') return inMinutes(20);
  if (word === 'other') return null;
  const evening = new Date(now);
  evening.setHours(EVENING_HOUR, 0, 0, 0);
  return evening.getTime() - now.getTime() < EVENING_UNTIL_MINUTES * MINUTE_MS ? null : evening;
}

export function nextHalfHour(now: Date): Date {
  const earliest = now.getTime() + PROPOSED_FROM_MINUTES * MINUTE_MS;
  return new Date(Math.ceil(earliest / HALF_HOUR_MS) * HALF_HOUR_MS);
}

/** `YYYY-MM-DDTHH:MM` on the device's clock. */
export function toLocalInput(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}

/** What is wrong with a time as it stands in the field, or null. */
export function timeProblem(typed: string, now: Date): MessageKey | null {
  const ahead = new Date(typed).getTime() - now.getTime();
  if (Number.isNaN(ahead) || ahead < 0) return 'parkInvites.form.timeMissing';
  return ahead > MAX_DAYS * DAY_MS ? 'parkInvites.form.badTime' : null;
}

/** Today, tomorrow, or a weekday with its date; days are those at the parks. @param locale a BCP 47 tag for Intl */
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
