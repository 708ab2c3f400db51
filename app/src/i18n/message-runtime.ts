// What compiled messages call: the library's plurals, and numbers written as the rest of the app writes them.
import { LANGUAGES, type Language } from './languages.ts';

export { plural } from '@messageformat/runtime';

/** A word that a message chooses by is isolated like any other: in Hebrew and Arabic no case would have its name. */
export const select = (value: string, cases: Readonly<Record<string, string>>): string =>
  cases[value.replaceAll(/[\u2068\u2069]/g, '')] ?? cases.other ?? '';

const formats: Partial<Record<Language, Intl.NumberFormat>> = {};

/** `#` and `{n, number}` in a message. */
export function number(language: Language, value: number, offset: number): string {
  const shown = value - offset;
  // All our languages write these alike, and making a formatter holds the first screen of a slow phone for 60 ms.
  if (Number.isInteger(shown) && shown >= 0 && shown < 1000) return String(shown);
  formats[language] ??= new Intl.NumberFormat(LANGUAGES[language].locale);
  return formats[language].format(shown);
}
