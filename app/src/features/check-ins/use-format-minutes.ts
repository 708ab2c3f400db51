// Lengths of a visit in the page's language.
import { formatMinutes } from '#/features/check-ins/format-minutes.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';

export function useFormatMinutes(): (minutes: number) => string {
  const t = useT();
  const locale = useLocale();
  return (minutes) => formatMinutes(minutes, locale, t);
}
