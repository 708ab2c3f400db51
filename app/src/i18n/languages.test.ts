// Dates and numbers follow the country of the site.
import { afterEach, expect, it } from 'vitest';
import { LANGUAGES, setRegion } from '#/i18n/languages.ts';

afterEach(() => setRegion());

it('writes dates as in the country, with the digits of the language', () => {
  setRegion('US');
  expect(Object.values(LANGUAGES).map(({ locale }) => locale)).toEqual([
    'en-US',
    'he-US',
    'ar-US-u-nu-latn',
  ]);
  const day = new Intl.DateTimeFormat(LANGUAGES.en.locale, { day: 'numeric', month: 'short' });
  expect(day.format(new Date(2026, 10, 25))).toBe('Nov 25');
});
