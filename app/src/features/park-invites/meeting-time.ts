// Presets, limits and formats of meeting times, also for datetime-local fields, which use the device's time without zone and
// seconds.
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations.ts';
import { parkClock, parkTimeZone } from '../../../../shared/park-time.ts';
import { MAX_DAYS } from '#/features/park-invites/invite-limits.ts';
import type { MessageKey } from '#/i18n/i18n.ts';

export const MEETING_PRESETS = ['now', 'twenty', 'evening', 'other'] as const;

/** Preset times. With 'other' the user enters a time. */
export type MeetingPreset = (typeof MEETING_PRESETS)[number];

const ON_THE_WAY_MINUTES = 5;
/** The proposed time is at least this far in the future. */
const PROPOSED_FROM_MINUTES = 10;
const HALF_HOUR_MS = 30 * MINUTE_MS;
const EVENING_HOUR = 18;
/** 'This evening' is offered until this many minutes before it begins. */
const EVENING_UNTIL_MINUTES = 30;

/** Returns the time of a preset in whole minutes. Null for 'other', and for 'evening' once the evening has begun. */
export function presetTime(preset: MeetingPreset, now: Date): Date | null {
  const inMinutes = (minutes: number) =>
    new Date(Math.ceil(now.getTime() / MINUTE_MS + minutes) * MINUTE_MS);
  if (preset === 'now') return inMinutes(ON_THE_WAY_MINUTES);
  if (preset === 'twenty') return inMinutes(20);
  if (preset === 'other') return null;
  const evening = new Date(now);
  evening.setHours(EVENING_HOUR, 0, 0, 0);
  return evening.getTime() - now.getTime() < EVENING_UNTIL_MINUTES * MINUTE_MS ? null : evening;
}

export function nextHalfHour(now: Date): Date {
  const earliest = now.getTime() + PROPOSED_FROM_MINUTES * MINUTE_MS;
  return new Date(Math.ceil(earliest / HALF_HOUR_MS) * HALF_HOUR_MS);
}

/** Formats a time as `YYYY-MM-DDTHH:MM` in the device's time zone. */
export function toLocalInput(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}

/** Validates the value of the time field. Returns the message key of a problem, or null if it is valid. */
export function timeProblem(typed: string, now: Date): MessageKey | null {
  const ahead = new Date(typed).getTime() - now.getTime();
  if (Number.isNaN(ahead) || ahead < 0) return 'parkInvites.form.timeMissing';
  return ahead > MAX_DAYS * DAY_MS ? 'parkInvites.form.badTime' : null;
}

/** Returns today, tomorrow, or a weekday with its date, in the parks' time zone. @param locale a BCP 47 tag for Intl */
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
