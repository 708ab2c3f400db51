// Tests ages, comma-separated tags, and the validation of a dog's form.
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { dogAge, dogInput, EMPTY_DRAFT, joinTags, splitTags } from '#/features/dogs/dog.ts';

it.each([
  ['2024-03-10', { years: 2, months: 0 }],
  ['2024-03-11', { years: 1, months: 11 }],
  ['2026-01-31', { years: 0, months: 1 }],
  ['2026-03-10', { years: 0, months: 0 }],
  ['2027-01-01', { years: 0, months: 0 }],
])('born on %s, on 10 March 2026', (birthday, age) => {
  expect(dogAge(birthday, new Date(2026, 2, 10))).toEqual(age);
});

it('tags are separated by commas of any script, trimmed, and unique', () => {
  expect(splitTags(' balls, sea ،balls,, ')).toEqual(['balls', 'sea']);
  expect(splitTags(null)).toEqual([]);
  expect(splitTags(joinTags(['a', 'b']))).toEqual(['a', 'b']);
});

it('the form requires name, breed, gender and birthday, each with its own message', () => {
  const { issues } = v.safeParse(dogInput, EMPTY_DRAFT);
  expect(v.flatten(issues as never).nested).toEqual({
    name: ['ui.nameMissing'],
    breed: ['dogs.form.breedMissing'],
    gender: ['dogs.form.genderMissing'],
    birthday: expect.arrayContaining(['dogs.form.birthdayMissing']),
  });
});

it('the form rejects a birthday in the future', () => {
  const draft = { ...EMPTY_DRAFT, name: 'Bamba', breed: 'mixed', gender: 'FEMALE' };
  const { issues } = v.safeParse(dogInput, { ...draft, birthday: '2999-01-01' });
  expect(issues?.map((issue) => issue.message)).toEqual(['dogs.form.birthdayWrong']);
});

it('the form stores empty optional texts as null', () => {
  const values = v.parse(dogInput, {
    ...EMPTY_DRAFT,
    name: ' Bamba ',
    breed: 'mixed',
    gender: 'FEMALE',
    birthday: '2020-02-29',
  });
  expect(values).toMatchObject({ name: 'Bamba', likes: null, description: null, size: null });
});
