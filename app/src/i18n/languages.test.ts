// Formats of dates and numbers follow the site's country.
import { afterEach, expect, it } from 'vitest';
import { LANGUAGES, setRegion } from '#/i18n/languages.ts';

afterEach(() => setRegion());

it("formats dates as the country does, with the language's digits", () => {
  setRegion('US');
  expect(Object.values(LANGUAGES).map(({ locale }) => locale)).toEqual([
    'en-US',
    'he-US',
    'ar-US-u-nu-latn',
  ]);
  const day = new Intl.DateTimeFormat(LANGUAGES.en.locale, { day: 'numeric', month: 'short' });
  expect(day.format(new Date(2026, 10, 25))).toBe('Nov 25');
});
