// Suggestions carry only what was changed, and numbers that are none are refused.
import { safeParse } from 'valibot';
import { expect, it } from 'vitest';
import { changedFacts, draftOf, EMPTY_FACTS, factsOf } from '#/features/park-facts/facts-draft.ts';
import { newParkInput, parkFactsInput } from '#/features/park-facts/park-input.ts';

const park = {
  size: 900,
  size_label: 'small',
  materials: ['SAND'],
  shade: null,
  has_facilities: null,
  facts: {},
};

it('sends nothing where nothing was changed', () => {
  expect(changedFacts(draftOf(park), park)).toBeNull();
});

it('sends only the changed facts', () => {
  const draft = { ...draftOf(park), shade: '4.5', facilities: 'no' as const };
  expect(changedFacts(draft, park)).toEqual({
    size: null,
    materials: [],
    shade: 4.5,
    has_facilities: false,
  });
});

it('does not repeat what was known', () => {
  const known = { ...park, shade: 3, has_facilities: true };
  expect(changedFacts({ ...draftOf(known), size: '1000' }, known)).toEqual({
    size: 1000,
    materials: [],
    shade: null,
    has_facilities: null,
  });
});

it('refuses what is no size and no shade, beside the field', () => {
  for (const [patch, field] of [
    [{ size: 'big' }, 'size'],
    [{ size: '0' }, 'size'],
    [{ shade: '25' }, 'shade'],
  ] as const) {
    const checked = safeParse(parkFactsInput, factsOf({ ...EMPTY_FACTS, ...patch }));
    expect(checked.issues?.[0]?.path?.[0]?.key).toBe(field);
  }
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
    ['city', 'parks.new.required'],
    ['address', 'parks.new.required'],
    ['location', 'parks.new.required'],
  ]);
});
