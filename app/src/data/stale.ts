// Stale times that several queries share, in milliseconds.
const SECOND = 1000;
const HOUR = 3600 * SECOND;

export const STALE = {
  /** For data that rarely changes, or is invalidated by the user's own commands. */
  day: 24 * HOUR,
  /** For data that is prefetched for a park without reception. */
  hour: HOUR,
  /** For the weather. */
  minute: 60 * SECOND,
  /** For users at a park: refreshed while it is on screen. */
  live: 15 * SECOND,
} as const;
