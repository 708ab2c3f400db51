// How long what somebody saw at a park is still news.
import { HOUR_MS } from '#/core/durations.ts';

const REPORT_LIFE_MS = 3 * HOUR_MS;

/** A report, confirmation or end of one that had to wait: null once it may well have passed. @param waited milliseconds */
export const withinReportLife = <Input>(input: Input, waited: number): Input | null =>
  waited > REPORT_LIFE_MS ? null : input;
