// Times of a meeting as a datetime-local field wants them: the device's clock, no zone, no seconds.

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
