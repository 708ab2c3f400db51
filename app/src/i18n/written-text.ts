// What people wrote: which language its script stands for, and in which direction it begins.
import { LEFT_TO_RIGHT, RIGHT_TO_LEFT } from '#/i18n/isolate.ts';
import type { Language } from '#/i18n/languages.ts';

/** By the first letter: screen readers change their voice by it. */
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
