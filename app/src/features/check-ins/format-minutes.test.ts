// Lengths of a visit, as people say them in each language.
import { expect, it } from 'vitest';
import { formatMinutes } from '#/features/check-ins/format-minutes.ts';

it.each([
  [30, 'en-IL', '30 minutes'],
  [60, 'he-IL', 'שעה'],
  [90, 'he-IL', 'שעה, 30 דקות'],
  [120, 'he-IL', 'שעתיים'],
  [120, 'ar-IL-u-nu-latn', 'ساعتان'],
  [0, 'en-IL', '0 minutes'],
])('%i minutes in %s', (minutes, locale, text) => {
  expect(formatMinutes(minutes, locale)).toBe(text);
});
