// Headings and ages in every plural form of the three languages; duals have no number.
import MessageFormat from '@messageformat/core';
import { expect, test } from 'vitest';
import arabic from '../../../languages/ar/app.json' with { type: 'json' };
import english from '../../../languages/en/app.json' with { type: 'json' };
import hebrew from '../../../languages/he/app.json' with { type: 'json' };

const CATALOGUES = { en: english, he: hebrew, ar: arabic };

const written = (
  language: keyof typeof CATALOGUES,
  key: keyof typeof english,
  values: Record<string, number | string>,
) => new MessageFormat(language).compile(CATALOGUES[language][key])(values);

const COUNTS = [1, 2, 3, 11, 100];

test.each([
  [
    'en',
    ['1 new notification', ...[2, 3, 11, 100].map((count) => `${count} new notifications`)],
    ['Earlier', 'Earlier'],
  ],
  [
    'he',
    ['התראה חדשה', 'שתי התראות חדשות', '3 התראות חדשות', '11 התראות חדשות', '100 התראות חדשות'],
    ['קודמת', 'קודמות'],
  ],
  [
    'ar',
    ['إشعار جديد', 'إشعاران جديدان', '3 إشعارات جديدة', '11 إشعارًا جديدًا', '100 إشعار جديد'],
    ['الأقدم', 'الأقدم'],
  ],
] as const)('new and earlier notifications in %s', (language, news, earlier) => {
  expect(COUNTS.map((count) => written(language, 'notifications.new', { count }))).toEqual(news);
  expect([1, 2].map((count) => written(language, 'notifications.earlier', { count }))).toEqual(
    earlier,
  );
});

test.each([
  ['en', ['1 year', '2 years', '12 years'], '2 years and 2 months'],
  ['he', ['שנה', 'שנתיים', '12 שנים'], 'שנתיים וחודשיים'],
  ['ar', ['سنة', 'سنتان', '12 سنة'], 'سنتان وشهران'],
] as const)('ages in %s', (language, years, both) => {
  expect([1, 2, 12].map((each) => written(language, 'dogs.age.years', { years: each }))).toEqual(
    years,
  );
  const two = written(language, 'dogs.age.years', { years: 2 });
  expect(written(language, 'dogs.age.yearsAndMonths', { years: two, months: 2 })).toBe(both);
});
