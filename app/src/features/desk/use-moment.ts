// Days and times as the desk shows them: in the language of the screen, at the clock of the parks.
import { useLanguage } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';

/** Writes an ISO moment as day and time. */
export function useMoment(): (iso: string) => string {
  const format = new Intl.DateTimeFormat(LANGUAGES[useLanguage()].locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Jerusalem',
  });
  return (iso) => format.format(new Date(iso));
}
