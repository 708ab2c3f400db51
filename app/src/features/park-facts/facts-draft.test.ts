// Tests the validation of park facts, and the field of each problem.
import { safeParse } from 'valibot';
import { expect, it, onTestFinished } from 'vitest';
import { setUnits } from '#/core/distance.ts';
import { changedFacts, draftOf, EMPTY_FACTS, factsOf } from '#/features/park-facts/facts-draft.ts';
import { newParkInput, parkFactsInput } from '#/features/park-facts/park-input.ts';

it('reports invalid sizes and shade hours with their fields', () => {
  for (const [patch, field] of [
    [{ size: 'big' }, 'size'],
    [{ size: '0' }, 'size'],
    [{ shade: '25' }, 'shade'],
  ] as const) {
    const checked = safeParse(parkFactsInput, factsOf({ ...EMPTY_FACTS, ...patch }));
    expect(checked.issues?.[0]?.path?.[0]?.key).toBe(field);
  }
});

it('converts sizes from the unit of the site and keeps unchanged ones exactly', () => {
  setUnits('imperial');
  onTestFinished(() => setUnits());
  const park = { size: 2600, materials: [], shade: null, has_facilities: null } as never;
  const draft = draftOf(park);
  expect(draft.size).toBe('0.64');
  expect(changedFacts(draft, park)).toBeNull();
  expect(changedFacts({ ...draft, size: '1.5' }, park)?.size).toBe(6070);
});

it('requires city, address and location of a new park', () => {
  const checked = safeParse(newParkInput, {
    ...factsOf(EMPTY_FACTS),
    name: '',
    city: ' ',
    address: '',
    location: null,
  });
  expect(checked.issues?.map((issue) => [issue.path?.[0]?.key, issue.message])).toEqual([
    ['city', 'ui.missing'],
    ['address', 'ui.missing'],
    ['location', 'ui.missing'],
  ]);
});
