// Language and direction of labels on the vector map.
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

/** As in Protomaps' files: no name in the user's language, and local names in two scripts. */
const TWO_SCRIPTS = {
  name: 'ירושלים',
  script: 'Hebrew',
  name2: 'القدس',
  script2: 'Arabic',
  name3: 'Jerusalem',
};

test.each([
  ['en', { name: 'גן', script: 'Hebrew', 'name:en': 'Garden' }, 'Garden'],
  ['ar', { name: 'גן', script: 'Hebrew', 'name:en': 'Garden' }, 'גן'],
  ['he', TWO_SCRIPTS, 'ירושלים'],
  ['ar', TWO_SCRIPTS, 'القدس'],
  ['en', TWO_SCRIPTS, 'Jerusalem'],
  ['ar', { ...TWO_SCRIPTS, 'name:ar': 'القدس الشريف' }, 'القدس الشريف'],
] as const)(
  'a name for %s is in its words, else in its letters, else as the place says it',
  (language, props: Record<string, string>, name) => {
    const found = nameProperties(language, props).find((each) => each in props);
    expect(props[found ?? '']).toBe(name);
  },
);
