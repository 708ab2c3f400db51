// Tests the parsing of the address function's responses.
import { expect, it } from 'vitest';
import { readPlaces } from '#/features/places/queries/search-places.ts';

const place = (label: string) => ({ label, lat: 32.1, long: 34.8, type: 'address' });

it('readPlaces: returns the first three', () => {
  const response = ['a', 'b', 'c', 'd'].map(place);
  expect(readPlaces(response).map(({ label }) => label)).toEqual(['a', 'b', 'c']);
});

it('readPlaces: parses coordinates given as text, and treats a missing type as an address without parts', () => {
  expect(readPlaces([{ label: 'x', lat: '32.1', long: '34.8', city: 7 }])).toEqual([
    { label: 'x', lat: 32.1, long: 34.8, type: 'address', city: '', address: '' },
  ]);
});

it('readPlaces: parses a known park, and the city and address of a place', () => {
  const park = { ...place('Mulberry Yard'), type: 'park', city: 'Haifa', address: '9 HaTut St' };
  expect(readPlaces([park])).toEqual([park]);
});

it.each([[null], [{ label: 'x' }], [[null, { label: 'no place' }, { lat: 1, long: 2 }]]])(
  'readPlaces: returns nothing for %j',
  (response) => {
    expect(readPlaces(response)).toEqual([]);
  },
);
