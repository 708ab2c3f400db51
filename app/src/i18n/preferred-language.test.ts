// Language at start-up: the stored one if offered, otherwise the browser's, otherwise English.
import { afterAll, expect, test, vi } from 'vitest';
import { preferredLanguage } from '#/i18n/i18n.ts';

afterAll(() => vi.unstubAllGlobals());

test.each([
  ['he', ['en'], 'he'],
  ['ar', [], 'ar'],
  // Languages that are not offered are ignored.
  ['xx', ['ar-EG', 'he'], 'ar'],
  ['HE', ['xx-XX', 'he-IL'], 'he'],
  ['toString', ['constructor', 'xx'], 'en'],
  [null, ['xx'], 'en'],
])('stored %s in a browser of %j is %s', (stored, languages, expected) => {
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (name === 'language' ? stored : null),
  });
  vi.stubGlobal('navigator', { languages });
  expect(preferredLanguage()).toBe(expected);
});

test("without a stored language, the account's is used before the account has been fetched", () => {
  const account = JSON.stringify({ id: 'a', theme: null, language: 'en' });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (name === 'accountAppearance' ? account : null),
  });
  vi.stubGlobal('navigator', { languages: ['he'] });
  expect(preferredLanguage()).toBe('en');
});
