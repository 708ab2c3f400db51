// Lengths of a visit in the page's language.
import { formatMinutes } from '#/features/check-ins/format-minutes.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';

export function useFormatMinutes(): (minutes: number) => string {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  return (minutes) => formatMinutes(minutes, locale, t);
}
