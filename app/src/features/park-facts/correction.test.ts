// Tests that a correction contains only changed values.
import { expect, test } from 'vitest';
import { correctionOf, correctionProblems, draftOfPark } from '#/features/park-facts/correction.ts';
import type { Park } from '#/entities/parks/park.ts';
import { fromList } from '#/entities/parks/park-from-list.ts';

const listed = {
  id: 7,
  name: 'גינת מאיר',
  city: 'תל אביב',
  address: 'המלך ג׳ורג׳ 35',
  location: { lat: 32.07, long: 34.77 },
};
const PARK: Park = { ...fromList({ ...listed, rank: null }, 'he', undefined), shade: 4 };
const draft = draftOfPark(PARK, 'he');
const corrected = (change: Partial<typeof draft>) =>
  correctionOf({ ...draft, ...change }, PARK, 'he');

test('returns null for an unchanged form and for an emptied name or city', () => {
  expect(corrected({})).toBeNull();
  expect(corrected({ names: { ...draft.names, he: ' ' }, city: '' })).toBeNull();
});

test('clears an address and resets facts to unknown', () => {
  expect(corrected({ address: ' ' })).toEqual({ translations: { he: { address: '' } } });
  const park = { ...PARK, facts: { lit: 'no', fenced: 'yes' }, materials: ['SAND'], size: 900 };
  const facts = { size: '900', materials: [], shade: '', facilities: 'unknown' as const };
  expect(correctionOf({ ...draft, facts, known: { lit: '', fenced: 'yes' } }, park, 'he')).toEqual({
    known: { lit: null, materials: null, shade: null },
  });
});

const problemsOf = (change: Partial<typeof draft>) =>
  correctionProblems({ ...draft, ...change }, corrected(change) ?? {});

test('reports texts that are too long or missing, with the part of the form that has them', () => {
  const long = 'x'.repeat(121);
  expect(problemsOf({ names: { ...draft.names, en: long }, address: long.repeat(2) })).toEqual({
    part: 'names',
    problems: { 'name.en': 'ui.field.tooLong', address: 'ui.field.tooLong' },
  });
  expect(problemsOf({ claim: 'duplicate' })).toEqual({
    part: 'claim',
    problems: { duplicateOf: 'parks.suggest.duplicateMissing' },
  });
  const facts = { ...draft.facts, shade: '25' };
  expect(problemsOf({ facts, claim: 'duplicate' })).toMatchObject({ part: 'details' });
  expect(problemsOf({ city: 'Haifa', claim: 'closed' })).toBeNull();
});

test('rejects numbers that cannot be stored before they are sent', () => {
  const bad = 'parks.suggest.badMetres';
  const numbers = { 'fence:height': '1.25', shelter_distance: '120' };
  expect(problemsOf({ known: numbers })?.problems).toEqual({ 'fence:height': bad });
  expect(problemsOf({ known: { 'fence:height': '', shelter_distance: '-1' } })?.problems).toEqual({
    shelter_distance: bad,
  });
  expect(corrected({ known: { 'fence:height': ' 1.2 ' } })).toEqual({
    known: { 'fence:height': '1.2' },
  });
});

test('sends a changed fact under its key and omits unchanged ones', () => {
  const park = { ...PARK, facts: { lit: 'no', fenced: 'yes' } };
  expect(
    correctionOf({ ...draft, known: { lit: 'yes', fenced: 'yes', bench: '' } }, park, 'he'),
  ).toEqual({ known: { lit: 'yes' } });
});

test('omits unchanged columns', () => {
  const facts = { ...draft.facts, size: '1000', facilities: 'no' as const };
  expect(corrected({ facts })).toEqual({
    size: 1000,
    materials: [],
    shade: null,
    has_facilities: false,
  });
});

test('sends names by language, and city and address in the language of the app', () => {
  expect(
    corrected({ names: { he: 'גינת מאיר', en: ' Meir Park ', ar: '' }, address: 'טשרניחובסקי 1' }),
  ).toEqual({ translations: { en: { name: 'Meir Park' }, he: { address: 'טשרניחובסקי 1' } } });
});

test('combines a new location, details and a claim', () => {
  const place = { lat: 32.08, long: 34.77 };
  expect(
    corrected({ place, facts: { ...draft.facts, shade: '6' }, claim: 'duplicate', duplicateOf: 9 }),
  ).toMatchObject({ place, shade: 6, size: null, claim: 'duplicate', duplicateOf: 9 });
});
