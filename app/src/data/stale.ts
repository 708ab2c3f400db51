// The stale times that several queries share, in milliseconds.
const SECOND = 1000;
const HOUR = 3600 * SECOND;

export const STALE = {
  /** What hardly changes, or is invalidated by one's own commands: 24 hours. */
  day: 24 * HOUR,
  /** What is fetched for a park without reception, before it is needed: once an hour at most. */
  hour: HOUR,
  /** Weather: 60 seconds. */
  minute: 60 * SECOND,
  /** Who is at a park now: shown at most 15 seconds old while it is on the screen. */
  live: 15 * SECOND,
} as const;
