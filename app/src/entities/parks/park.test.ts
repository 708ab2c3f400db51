// Tests which translation of a park is used, and the error if it has none.
import { expect, test } from 'vitest';
import { startBrowserOnNode } from '../../../testing/browser-on-node.ts';
import type * as ParkModule from '#/entities/parks/park.ts';

const browser = await startBrowserOnNode();
const park = await import('#/entities/parks/park.ts');

const words = (language: string) => ({ language, name: language, city: '', address: '' });
const stored = (...languages: string[]) =>
  ({
    id: 7,
    park_translations: languages.map(words),
    park_photos: [],
  }) as unknown as ParkModule.Park;

test('fetches a park with all its languages', async () => {
  browser.respond(() => [200, [stored('en', 'he')]]);
  expect((await park.fetchPark(7)).park_translations).toHaveLength(2);
  expect(browser.requests).toHaveLength(1);
});

test.each([
  ['without a translation', [stored()]],
  ['that is not there', []],
])('a park %s is reported as an error', async (_, rows) => {
  browser.respond(() => [200, rows]);
  await expect(park.fetchPark(7)).rejects.toMatchObject({
    key: 'errors.park_not_found',
    status: 404,
  });
});

test('returns the translation in the language, in English or in any other, or fails', () => {
  expect(park.parkTranslation(stored('en', 'ar'), 'ar').name).toBe('ar');
  expect(park.parkTranslation(stored('ar', 'en'), 'he').name).toBe('en');
  expect(park.parkTranslation(stored('ar'), 'he').name).toBe('ar');
  expect(() => park.parkTranslation(stored(), 'he')).toThrow('errors.park_not_found');
});
