// Tests opening hours and dog hours as text in the three languages.
import MessageFormat from '@messageformat/core';
import { expect, it } from 'vitest';
import {
  dogsNow,
  type HoursOfPark,
  hoursOfPark,
  openNow,
} from '../../../../shared/opening-hours/hours-of-park.ts';
import { closedWarning, formatRule, formatOpen } from '#/features/verdicts/format-hours.ts';
import type { Translate } from '#/i18n/i18n.ts';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';
import arabic from '../../../../languages/ar/app.json' with { type: 'json' };
import english from '../../../../languages/en/app.json' with { type: 'json' };
import hebrew from '../../../../languages/he/app.json' with { type: 'json' };

const CATALOGUES = { en: english, he: hebrew, ar: arabic };
const ORDER: Language[] = ['en', 'he', 'ar'];
const PLACE = { lat: 32.08, long: 34.78 };
const THURSDAY = Date.parse('2026-11-19T00:00Z') / 86_400_000;
const FRIDAY = THURSDAY + 1;

const inAll = (write: (t: Translate, locale: string) => string | null) =>
  ORDER.map((language) => {
    const messages = new MessageFormat(language);
    return write(
      (key, values) => messages.compile(CATALOGUES[language][key])(values),
      LANGUAGES[language].locale,
    );
  });

const WEEK = { opening_hours: 'Su-Th 06:00-22:00; Fr 06:00-14:00; Sa off' };

it.each([
  [WEEK, FRIDAY, 10, ['Open, closes at 14:00', 'פתוח, נסגר ב־14:00', 'مفتوحة، تغلق الساعة 14:00']],
  [
    WEEK,
    THURSDAY,
    23,
    ['Closed, opens tomorrow at 06:00', 'סגור, נפתח מחר ב־06:00', 'مغلقة، تفتح غدًا الساعة 06:00'],
  ],
  [
    WEEK,
    FRIDAY,
    15,
    [
      'Closed, opens on Sunday at 06:00',
      'סגור, נפתח ביום ראשון ב־06:00',
      'مغلقة، تفتح يوم الأحد الساعة 06:00',
    ],
  ],
  [
    { opening_hours: '24/7' },
    FRIDAY,
    3,
    ['Open day and night', 'פתוח יום ולילה', 'مفتوحة ليلًا ونهارًا'],
  ],
])('%j on day %i at %i:00', (facts, day, hour, expected) => {
  const hours = hoursOfPark(facts, PLACE) as HoursOfPark;
  const now = { day, minute: hour * 60 };
  const open = openNow(hours, now);
  expect(inAll((t, locale) => open && formatOpen(open, now, t, locale))).toEqual(expected);
  // A check-in needs a confirmation only while the park is closed.
  const warnings = inAll((t, locale) => closedWarning(hours, now, t, locale));
  if (open?.open) expect(warnings).toEqual([null, null, null]);
  else
    expect(warnings).toEqual([
      `${expected[0]}. Check in anyway?`,
      `${expected[1]}. לעשות צ׳ק־אין בכל זאת?`,
      `${expected[2]}. تسجيل الوصول رغم ذلك؟`,
    ]);
});

const SHARED = { dog: 'leashed', 'dog:conditional': 'unleashed @ (06:00-09:00)' };

it.each([
  [
    SHARED,
    7,
    ['Dogs off the leash until 09:00', 'כלבים בלי רצועה עד 09:00', 'الكلاب بلا مقود حتى 09:00'],
  ],
  [
    SHARED,
    10,
    ['Dogs off the leash from 06:00', 'כלבים בלי רצועה מ־06:00', 'الكلاب بلا مقود ابتداءً من 06:00'],
  ],
  [
    { dog: 'leashed', 'dog:conditional': 'no @ (10:00-16:00)' },
    11,
    ['No dogs until 16:00', 'אין כניסה לכלבים עד 16:00', 'ممنوع دخول الكلاب حتى 16:00'],
  ],
])('%j at %i:00', (facts, hour, expected) => {
  const now = { day: THURSDAY, minute: hour * 60 };
  const dogs = dogsNow(hoursOfPark(facts, PLACE) as HoursOfPark, now);
  expect(inAll((t, locale) => dogs && formatRule(dogs, now, t, locale))).toEqual(expected);
});
