// Functions that compiled messages call: the library's plurals, and number formats of the app.
import { LANGUAGES, type Language } from './languages.ts';

export { plural } from '@messageformat/runtime';

/** Finds the text for a value. In Hebrew and Arabic the value is wrapped in bidi isolates, which are removed first. */
export const select = (value: string, cases: Readonly<Record<string, string>>): string =>
  cases[value.replaceAll(/[\u2068\u2069]/g, '')] ?? cases.other ?? '';

const formats: Partial<Record<Language, Intl.NumberFormat>> = {};

/** Formats `#` and `{n, number}` in a message. */
export function number(language: Language, value: number, offset: number): string {
  const shown = value - offset;
  // All supported languages format numbers below 1000 in the same way, so avoid creating a formatter, which takes 60 ms of the
  // first render on a slow phone.
  if (Number.isInteger(shown) && shown >= 0 && shown < 1000) return String(shown);
  formats[language] ??= new Intl.NumberFormat(LANGUAGES[language].locale);
  return formats[language].format(shown);
}
