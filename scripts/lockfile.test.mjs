// `npm ci` refuses a lock file that lacks a platform's optional package, and npm leaves them out when it cannot see them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const { packages } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8'),
);

test('the lock file holds every optional package, of all platforms', () => {
  const nameOf = (place) => place.replace(/^.*node_modules\//, '');
  const locked = new Set(
    Object.entries(packages).map(([place, { version }]) => `${nameOf(place)}@${version}`),
  );
  const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    // A platform's package is named with its exact version.
    Object.entries(optionalDependencies)
      .map(([name, version]) => `${name}@${version}`)
      .filter((wanted) => /@\d[^ ]*$/.test(wanted) && !locked.has(wanted)),
  );
  expect(missing).toEqual([]);
});

test('the lock file names no registry', () => {
  const resolved = Object.values(packages).flatMap((one) => (one.link ? [] : (one.resolved ?? [])));
  expect(resolved).toEqual([]);
});
