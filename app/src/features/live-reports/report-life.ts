// How long what somebody saw at a park is still news.
import { HOUR_MS, MINUTE_MS } from '#/core/durations.ts';
import { timeAgo } from '#/core/time-ago.ts';
import type { Translate } from '#/i18n/i18n.ts';

const REPORT_LIFE_MS = 3 * HOUR_MS;

/** The server tells the beginning of the quarter of an hour alone: a fresh report may look like one of 15 minutes ago. */
const LATELY_MS = 30 * MINUTE_MS;

/** When something was reported, as exactly as anybody may know. */
export const reportedWhen = (at: string, now: number, locale: string, t: Translate): string =>
  now - Date.parse(at) < LATELY_MS
    ? t('liveReports.reportedLately')
    : t('liveReports.reported', { ago: timeAgo(at, now, locale) });

/** A report, confirmation or end of one that had to wait: null once it may well have passed. @param waited milliseconds */
export const withinReportLife = <Input>(input: Input, waited: number): Input | null =>
  waited > REPORT_LIFE_MS ? null : input;
