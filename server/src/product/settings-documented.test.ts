// An operator finds every setting in docs/settings.md.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settingsSchema } from '#/product/settings.ts';

test('docs/settings.md names every setting and no other', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/settings.md'), 'utf8');
  // The first column of the tables.
  const documented = [...page.matchAll(/^\| (`[A-Z0-9_`, ]+`) +\|/gm)].flatMap((row) =>
    [...(row[1] ?? '').matchAll(/[A-Z][A-Z0-9_]+/g)].map(([name]) => name),
  );
  expect(documented.sort()).toEqual(Object.keys(settingsSchema.entries).sort());
});
