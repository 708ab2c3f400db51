// Stale times that several queries share, in milliseconds.
const SECOND = 1000;
const HOUR = 3600 * SECOND;

export const STALE = {
  /** For data that rarely changes, or is invalidated by the user's own commands. */
  day: 24 * HOUR,
  /** Data that is prefetched for a park without reception. */
  hour: HOUR,
  /** The weather. */
  minute: 60 * SECOND,
  /** Live data of parks, which is also refetched at this interval while it is on screen. */
  live: 15 * SECOND,
} as const;
