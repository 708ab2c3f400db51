// Guesses the language and direction of user content from its script.
import { LEFT_TO_RIGHT, RIGHT_TO_LEFT } from '#/i18n/isolate.ts';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';

const LETTERS = (Object.keys(LANGUAGES) as Language[])
  // Several languages use the same script, so choose the first supported one with that script.
  .map((code) => [code, new RegExp(`\\p{Script=${LANGUAGES[code].script}}`, 'u')] as const);

/** Guesses the language from the first letter, because screen readers choose their voice by language. */
export function languageOf(text: string): Language | undefined {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return LETTERS.find(([, letters]) => letters.test(first))?.[0];
}

/** Direction of the first letter outside isolates, because browsers' `dir="auto"` also considers isolated names. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const own = text.replace(/\u2068[^\u2069]*\u2069/g, '');
  const [ltr, rtl] = [own.search(LEFT_TO_RIGHT), own.search(RIGHT_TO_LEFT)];
  return rtl >= 0 && (ltr < 0 || rtl < ltr) ? 'rtl' : 'ltr';
}
