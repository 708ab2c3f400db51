// In which language and direction names stand on the drawn map.
import { expect, test } from 'vitest';
import { directionOf, nameProperties } from '#/map/vector/names.ts';

test.each([
  ['רחוב הזית 12', 'rtl'],
  ['شارع الزيتون', 'rtl'],
  ['12 رحبة', 'rtl'],
  ['Rue Grimaldi', 'ltr'],
  ['40 (B)', 'ltr'],
  ['7', 'ltr'],
])('%s runs %s', (name, direction) => {
  expect(directionOf(name)).toBe(direction);
});

test('a name is in the language of the person, else as the place itself says it', () => {
  expect(nameProperties('he')).toEqual(['name:he', 'name']);
});
