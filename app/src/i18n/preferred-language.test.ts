// The language at the start: the stored one if it is ours, else the browser's, else English.
import { afterAll, expect, test, vi } from 'vitest';
import { preferredLanguage } from '#/i18n/i18n.ts';

afterAll(() => vi.unstubAllGlobals());

test.each([
  ['he', ['en'], 'he'],
  ['ar', [], 'ar'],
  // What is none of ours is ignored, whoever wrote it.
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

test('without a choice on this device, the language of the account is used before it is fetched', () => {
  const account = JSON.stringify({ id: 'a', theme: null, language: 'en' });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => (name === 'seenLooks' ? account : null),
  });
  vi.stubGlobal('navigator', { languages: ['he'] });
  expect(preferredLanguage()).toBe('en');
});
