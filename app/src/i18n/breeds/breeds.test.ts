// Every language names the same breeds, Mixed comes first, and Other last.
import { expect, test } from 'vitest';
import { breedName, sortedBreeds } from '#/i18n/breeds/breeds.ts';
import arabic from '../../../../languages/ar/breeds.json';
import english from '../../../../languages/en/breeds.json';
import hebrew from '../../../../languages/he/breeds.json';

test('no language has two breeds of one name', () => {
  for (const names of [english, hebrew, arabic]) {
    const values = Object.values(names);
    expect(values.filter((name, index) => values.indexOf(name) !== index)).toEqual([]);
  }
});

test('the list is in alphabetical order of its language, with Mixed first and Other last', () => {
  const keys = sortedBreeds(hebrew, 'he').map((breed) => breed.key);
  expect([keys[0], keys.at(-1)]).toEqual(['mixed', 'other']);
  expect(keys.indexOf('australian_shepherd')).toBeGreaterThan(keys.indexOf('akita'));
});

test('a bare key is never shown: nothing before the names are here, and a breed from later is another one', () => {
  expect(breedName({}, 'canaan_dog')).toBe('');
  expect(sortedBreeds({}, 'he')).toEqual([]);
  expect(breedName(hebrew, 'canaan_dog')).toBe('כלב כנעני');
  expect(breedName(hebrew, 'bred_tomorrow')).toBe(hebrew.other);
});
