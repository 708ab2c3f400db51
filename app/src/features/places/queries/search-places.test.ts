// What of an answer of the address function is shown.
import { expect, it } from 'vitest';
import { readPlaces } from '#/features/places/queries/search-places.ts';

const place = (label: string) => ({ label, lat: 32.1, long: 34.8, kind: 'address' });

it('readPlaces: keeps the first three', () => {
  const answer = ['a', 'b', 'c', 'd'].map(place);
  expect(readPlaces(answer).map(({ label }) => label)).toEqual(['a', 'b', 'c']);
});

it('readPlaces: reads coordinates written as text, and a missing kind as an address of unknown parts', () => {
  expect(readPlaces([{ label: 'x', lat: '32.1', long: '34.8', city: 7 }])).toEqual([
    { label: 'x', lat: 32.1, long: 34.8, kind: 'address', city: '', address: '' },
  ]);
});

it('readPlaces: knows a park of ours, and the city and the address of a place', () => {
  const park = { ...place('Mulberry Yard'), kind: 'park', city: 'Haifa', address: '9 HaTut St' };
  expect(readPlaces([park])).toEqual([park]);
});

it.each([[null], [{ label: 'x' }], [[null, { label: 'no place' }, { lat: 1, long: 2 }]]])(
  'readPlaces: finds nothing in %j',
  (answer) => {
    expect(readPlaces(answer)).toEqual([]);
  },
);
