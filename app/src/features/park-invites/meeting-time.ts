// Times of a meeting as a datetime-local field wants them: the device's clock, no zone, no seconds; and which are possible.
import type { MessageKey } from '#/i18n/i18n.ts';

const LATEST_MS = 30 * 24 * 60 * 60_000;

/** The next full or half hour that is at least ten minutes away. */
export function nextHalfHour(now: Date): Date {
  const half = 30 * 60_000;
  return new Date(Math.ceil((now.getTime() + 10 * 60_000) / half) * half);
}

/** `YYYY-MM-DDTHH:MM` on the device's clock. */
export function toLocalInput(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** What is wrong with a time as it stands in the field, or null. */
export function timeProblem(typed: string, now: Date): MessageKey | null {
  const ahead = new Date(typed).getTime() - now.getTime();
  if (Number.isNaN(ahead) || ahead < 0) return 'parkInvites.form.timeMissing';
  return ahead > LATEST_MS ? 'parkInvites.form.badTime' : null;
}
