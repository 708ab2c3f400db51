// Days and times as the desk shows them: in the language of the screen, at the clock of the parks.
import { clockFormat, parkTimeZone } from '#/core/park-time.ts';
import { DAY } from '#/i18n/day-format.ts';
import { useLocale } from '#/i18n/i18n.ts';

function useFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const format = new Intl.DateTimeFormat(useLocale(), options);
  return (iso) => format.format(new Date(iso));
}

/** Writes an ISO moment as day and time. */
export const useMoment = () => useFormat({ ...DAY, ...clockFormat(), timeZone: parkTimeZone() });

/** Writes a day, such as 2026-11-22. */
export const useDay = () => useFormat({ ...DAY, timeZone: 'UTC' });
