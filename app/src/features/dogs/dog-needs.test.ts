// Tests what a dog needs according to its description.
import { expect, it } from 'vitest';
import type { Dog } from '#/features/dogs/dog.ts';
import { dogNeeds } from '#/features/dogs/dog-needs.ts';

const TODAY = new Date('2026-08-01T12:00:00Z');
const bamba = { breed: 'mixed', birthday: '2022-01-01', size: 'MEDIUM', dislikes: null };
const needsOf = (...dogs: Partial<Dog>[]) => {
  const needs = dogNeeds(
    dogs.map((dog) => ({ ...bamba, ...dog }) as Dog),
    TODAY,
  );
  return Object.entries(needs).flatMap(([need, is]) => (is ? [need] : []));
};

it.each<[string[], Partial<Dog>]>([
  [[], {}],
  [['small'], { size: 'SMALL' }],
  [['puppy'], { birthday: '2026-03-01' }],
  [['heat'], { birthday: '2014-01-01' }],
  [['heat'], { breed: 'pug' }],
  [['heat'], { breed: 'siberian_husky' }],
  [['heat'], { dislikes: 'גשם, חום' }],
  [['shy'], { dislikes: 'big dogs' }],
  [['shy'], { dislikes: 'המון כלבים' }],
  [['shy'], { dislikes: 'الزحام' }],
])('needs %j: %j', (needs, dog) => {
  expect(needsOf(dog)).toEqual(needs);
});

it('combines the needs of several dogs, and returns none without a dog', () => {
  expect(needsOf({ size: 'SMALL' }, { breed: 'pug' })).toEqual(['small', 'heat']);
  expect(needsOf()).toEqual([]);
});
