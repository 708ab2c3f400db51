// A correction holds what was changed, and nothing else.
import { expect, test } from 'vitest';
import { correctionOf, draftOfPark } from '#/features/parks/correction.ts';
import type { Park } from '#/features/parks/queries/park.ts';
import { fromList } from '#/features/parks/queries/listed-park.ts';

const listed = {
  id: 7,
  name: 'גינת מאיר',
  city: 'תל אביב',
  address: 'המלך ג׳ורג׳ 35',
  location: { lat: 32.07, long: 34.77 },
};
const PARK: Park = {
  ...fromList({ ...listed, rank: null }, 'he', undefined),
  shade: 4,
};
const draft = draftOfPark(PARK, 'he');
const corrected = (change: Partial<typeof draft>) =>
  correctionOf({ ...draft, ...change }, PARK, 'he');

test('an untouched form corrects nothing, and neither does an emptied field', () => {
  expect(corrected({})).toBeNull();
  expect(corrected({ names: { ...draft.names, he: ' ' }, city: '' })).toBeNull();
});

test('a fact is corrected under its key, and one that stays as it is is not repeated', () => {
  const park = { ...PARK, facts: { lit: 'no', fenced: 'yes' } };
  expect(
    correctionOf({ ...draft, known: { lit: 'yes', fenced: 'yes', bench: '' } }, park, 'he'),
  ).toEqual({ known: { lit: 'yes' } });
});

test('names go by their language, city and address by that of the app', () => {
  expect(
    corrected({ names: { he: 'גינת מאיר', en: ' Meir Park ', ar: '' }, address: 'טשרניחובסקי 1' }),
  ).toEqual({ words: { en: { name: 'Meir Park' }, he: { address: 'טשרניחובסקי 1' } } });
});

test('a new place, details and a claim go together', () => {
  const place = { lat: 32.08, long: 34.77 };
  expect(
    corrected({ place, facts: { ...draft.facts, shade: '6' }, claim: 'double', doubleOf: 9 }),
  ).toMatchObject({ place, shade: 6, size: null, claim: 'double', doubleOf: 9 });
});
