// Tests durations in each language.
import MessageFormat from '@messageformat/core';
import { expect, it } from 'vitest';
import { formatMinutes, formatMinutesShort } from '#/features/check-ins/format-minutes.ts';
import arabic from '../../../../languages/ar/app.json' with { type: 'json' };
import english from '../../../../languages/en/app.json' with { type: 'json' };
import hebrew from '../../../../languages/he/app.json' with { type: 'json' };
import type { Translate } from '#/i18n/i18n.ts';

const LANGUAGES = {
  en: { locale: 'en-IL', texts: english },
  he: { locale: 'he-IL', texts: hebrew },
  ar: { locale: 'ar-IL-u-nu-latn', texts: arabic },
};

const translate = (language: keyof typeof LANGUAGES): Translate => {
  const messages = new MessageFormat(language);
  return (key, values) => messages.compile(LANGUAGES[language].texts[key])(values);
};

it.each([
  [30, 'en', '30 minutes'],
  [90, 'en', '1 hour and 30 minutes'],
  [60, 'he', 'שעה'],
  [90, 'he', 'שעה וחצי'],
  [150, 'he', 'שעתיים וחצי'],
  [80, 'he', 'שעה ו־20 דקות'],
  [62, 'he', 'שעה ושתי דקות'],
  [120, 'he', 'שעתיים'],
  [120, 'ar', 'ساعتان'],
  [90, 'ar', 'ساعة ونصف'],
  [0, 'en', '0 minutes'],
] as const)('%i minutes in %s', (minutes, language, text) => {
  expect(formatMinutes(minutes, LANGUAGES[language].locale, translate(language))).toBe(text);
});

it.each([
  [52, 'en', '52 mins'],
  [80, 'en', '1 hr, 20 mins'],
  [60, 'ar', 'ساعة'],
  [52, 'he', '52 דק׳'],
  [90, 'en', '1 hr, 30 mins'],
  [90, 'he', 'שעה וחצי'],
  [150, 'ar', 'ساعتان ونصف'],
] as const)('%i minutes in %s where there is little room', (minutes, language, text) => {
  const { locale } = LANGUAGES[language];
  expect(formatMinutesShort(minutes, locale, translate(language))).toBe(text);
});
