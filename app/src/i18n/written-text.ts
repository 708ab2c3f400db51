// What people wrote: which language its script stands for, and in which direction it begins.
import { LEFT_TO_RIGHT, RIGHT_TO_LEFT } from '#/i18n/isolate.ts';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';

const LETTERS = (Object.keys(LANGUAGES) as Language[])
  // Of Latin letters, which many languages have, the first of ours.
  .map((code) => [code, new RegExp(`\\p{Script=${LANGUAGES[code].script}}`, 'u')] as const);

/** By the first letter: screen readers change their voice by it. */
export function languageOf(text: string): Language | undefined {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return LETTERS.find(([, letters]) => letters.test(first))?.[0];
}

/** Where a sentence begins, by its first letter outside isolates: browsers' `dir="auto"` also counts the isolated names. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const own = text.replace(/\u2068[^\u2069]*\u2069/g, '');
  const [ltr, rtl] = [own.search(LEFT_TO_RIGHT), own.search(RIGHT_TO_LEFT)];
  return rtl >= 0 && (ltr < 0 || rtl < ltr) ? 'rtl' : 'ltr';
}
