// The time of a report about a park.
import { MINUTE_MS } from '../../../../shared/durations.ts';
import { timeAgo } from '#/core/time-ago.ts';
import type { Translate } from '#/i18n/i18n.ts';

/** The server rounds times down to a quarter of an hour, so a new report may seem to be 15 minutes old. */
const LATELY_MS = 30 * MINUTE_MS;

/** Formats the time of a report as precisely as it is published. */
export const reportedWhen = (at: string, now: number, locale: string, t: Translate): string =>
  now - Date.parse(at) < LATELY_MS
    ? t('liveReports.reportedLately')
    : t('liveReports.reported', { ago: timeAgo(at, now, locale) });
