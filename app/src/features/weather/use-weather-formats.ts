// Degrees and percent as the page's language writes them.
import { useMemo } from 'react';
import { once } from '#/core/once.ts';
import { useLanguage } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';

export function useWeatherFormats(): {
  degrees: (celsius: number) => string;
  /** @param chance 0 to 100 */
  percent: (chance: number) => string;
} {
  const { locale } = LANGUAGES[useLanguage()];
  return useMemo(() => {
    // Made when there is something to write, which on a dry day is never.
    const degrees = once(
      () =>
        new Intl.NumberFormat(locale, {
          style: 'unit',
          // Everybody here means Celsius, and 'C' or 'م' beside the sign only disturbs the direction of the text.
          unit: 'degree',
          unitDisplay: 'narrow',
          maximumFractionDigits: 0,
        }),
    );
    const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent' }));
    return {
      degrees: (celsius) => degrees().format(celsius),
      percent: (chance) => percent().format(chance / 100),
    };
  }, [locale]);
}
