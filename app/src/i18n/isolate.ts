// Text of two directions: a name of the other script must not turn its sentence around.

import type { Language } from '#/i18n/languages.ts';

const LEFT_TO_RIGHT = /[A-Za-z\u00c0-\u052f]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** What is written in the other direction comes between FSI and PDI; all else stays as it is. */
export function isolateOthers(
  values: Record<string, string | number>,
  direction: 'ltr' | 'rtl',
): Record<string, string | number> {
  const other = direction === 'rtl' ? LEFT_TO_RIGHT : RIGHT_TO_LEFT;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && other.test(value) ? `\u2068${value}\u2069` : value,
    ]),
  );
}

/** For what people wrote: screen readers change their voice by it. The language that the script stands for here, by the first letter. */
export function languageOf(text: string): Language | undefined {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  if (/[\u0590-\u05ff\ufb1d-\ufb4f]/.test(first)) return 'he';
  if (RIGHT_TO_LEFT.test(first)) return 'ar';
  return /[A-Za-z\u00c0-\u024f]/.test(first) ? 'en' : undefined;
}

/** Where a sentence begins, by its first letter outside isolates: browsers' `dir="auto"` also counts the isolated names. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const own = text.replace(/\u2068[^\u2069]*\u2069/g, '');
  const [ltr, rtl] = [own.search(LEFT_TO_RIGHT), own.search(RIGHT_TO_LEFT)];
  return rtl >= 0 && (ltr < 0 || rtl < ltr) ? 'rtl' : 'ltr';
}
