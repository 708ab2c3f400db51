// How long commands may wait in the queue before they are rejected instead of sent. Other commands never expire.
import { DAY_MS, HOUR_MS } from '../../../../shared/durations.ts';

export const LIFETIMES_MS = {
  /** A report about a park, or a response to one, because it may be outdated. */
  report: 3 * HOUR_MS,
  /** An answer to a question about a park, because the server rejects answers that are more than a day late. */
  parkAnswer: DAY_MS,
  /** A sighting of a lost dog, because the dog's card expires after a day. */
  sighting: DAY_MS,
} as const;
