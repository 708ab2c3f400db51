// Tests how the dogs at a park suit a dog.
import { expect, it } from 'vitest';
import { companyFit, type Fit, type Traits } from '#/features/dogs/company-fit.ts';
import type { Dog } from '#/features/dogs/dog.ts';

const TODAY = new Date('2026-08-01T12:00:00Z');
const bamba = {
  breed: 'mixed',
  birthday: '2022-01-01',
  size: 'MEDIUM',
  energy: 'MEDIUM',
  dislikes: null,
} as Dog;
const PUPPY = { birthday: '2026-03-01' };
const OLD = { birthday: '2014-01-01' };

it.each<[Fit, Partial<Dog>, Traits]>([
  ['good', {}, { size: 'MEDIUM', energy: 'HIGH' }],
  ['good', {}, { size: 'LARGE', energy: 'MEDIUM' }],
  ['fine', {}, { size: 'LARGE', energy: 'MIXED' }],
  ['fine', { size: null, energy: null }, { size: 'MIXED' }],
  ['crowd', { dislikes: 'big dogs', size: 'SMALL' }, { size: 'SMALL' }],
  ['large', { size: 'SMALL' }, { size: 'LARGE', puppies: 'SOME' }],
  ['large', PUPPY, { size: 'LARGE' }],
  ['lively', { energy: 'LOW' }, { energy: 'HIGH' }],
  ['lively', OLD, { size: 'MEDIUM', energy: 'HIGH', puppies: 'SOME' }],
  ['puppies', OLD, { size: 'MEDIUM', puppies: 'SOME' }],
  ['good', PUPPY, { size: 'MIXED', puppies: 'MOST' }],
  ['calm', { energy: 'HIGH' }, { size: 'LARGE', energy: 'LOW' }],
])('%s: %j among %j', (fit, dog, company) => {
  expect(companyFit({ ...bamba, ...dog }, company, TODAY)).toBe(fit);
});
