// Formats days and times for the desk: in the screen's language and the parks' time zone.
import { clockFormat, parkTimeZone } from '../../../../shared/park-time.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale } from '#/i18n/i18n.ts';

function useFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const format = new Intl.DateTimeFormat(useLocale(), options);
  return (iso) => format.format(new Date(iso));
}

/** Formats an ISO timestamp as day and time. */
export const useTimeFormat = () =>
  useFormat({ ...DAY, ...clockFormat(), timeZone: parkTimeZone() });

/** Formats a day such as 2026-11-22. */
export const useDayFormat = () => useFormat({ ...DAY, timeZone: 'UTC' });
