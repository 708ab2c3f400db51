// Every language has the same breeds, with Mixed first and Other last.
import { expect, test } from 'vitest';
import { breedName, sortedBreeds } from '#/i18n/breeds/breeds.ts';
import arabic from '../../../../languages/ar/breeds.json';
import english from '../../../../languages/en/breeds.json';
import hebrew from '../../../../languages/he/breeds.json';

test('breed names are unique within a language', () => {
  for (const names of [english, hebrew, arabic]) {
    const values = Object.values(names);
    expect(values.filter((name, index) => values.indexOf(name) !== index)).toEqual([]);
  }
});

test('breeds are sorted alphabetically, with Mixed first and Other last', () => {
  const keys = sortedBreeds(hebrew, 'he').map((breed) => breed.key);
  expect([keys[0], keys.at(-1)]).toEqual(['mixed', 'other']);
  expect(keys.indexOf('australian_shepherd')).toBeGreaterThan(keys.indexOf('akita'));
});

test('keys are never shown: no name until names have loaded, and unknown breeds are Other', () => {
  expect(breedName({}, 'canaan_dog')).toBe('');
  expect(sortedBreeds({}, 'he')).toEqual([]);
  expect(breedName(hebrew, 'canaan_dog')).toBe('כלב כנעני');
  expect(breedName(hebrew, 'bred_tomorrow')).toBe(hebrew.other);
});
