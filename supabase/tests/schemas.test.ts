// Tests that supabase/schemas is the source of truth: the migrations lead to exactly the same database, and nothing is defined
// twice.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { ROOT } from '#/host/lib/paths.ts';
import { isBaselineIntact, schemaFiles } from '../../scripts/lib/baseline.ts';
import { databaseTypes } from '../../scripts/lib/database-types.ts';
import { languageSchema } from '../../scripts/lib/language-schema.ts';
import { differences } from '../../testing/catalogue.ts';
import { bothCatalogues } from '../../testing/schema-databases.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test('the migrations match the schema files and the types; otherwise run npm run generate', async () => {
  const { declared, stepped, found } = await bothCatalogues(
    inject('adminConnection'),
    databaseTypes,
  );
  expect(declared.size).toBeGreaterThan(1000);
  const names = [...declared.keys()].join('\n');
  expect(names).toContain('row of private.retention:');
  expect(names).toContain('row of private.notification_types:');
  expect(differences(declared, stepped)).toEqual({ gone: [], added: [], changed: [] });
  for (const [file, source] of Object.entries(found)) expect(read(file)).toBe(source);
  expect(read('supabase/schemas/languages.sql')).toBe(languageSchema());
  expect(isBaselineIntact()).toBe(true);
});

/** Returns every `create` in a file, without bodies, texts and comments. */
function created(sql: string): string[] {
  const bare = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/(\$\w*\$)[^]*?\1/g, '');
  return [
    ...bare.matchAll(
      /\bcreate\s+(?:or\s+replace\s+)?(?:unique\s+|constraint\s+)?(schema|extension|type|table|view|function|index|trigger|policy)\s+((?:if not exists\s+)?(?:"[^"]+"|[\w.]+)(?:\s*\([^()]*(?:\([^()]*\)[^()]*)*\))?(?:[^;]*?\bon\s+[\w.]+)?)/g,
    ),
  ]
    .map(([, type = '', rest = '']) =>
      type === 'trigger' || type === 'policy'
        ? `${type} ${/^("[^"]+"|\w+)/.exec(rest)?.[0]} on ${/\bon ([\w.]+)$/.exec(rest)?.[1]}`
        : `${type} ${/^(?:if not exists\s+)?(?:"[^"]+"|[\w.]+)/.exec(rest)?.[0]}`,
    )
    .filter((object) => object !== 'index on');
}

test('each object is defined once, in a file that config.toml lists', async () => {
  const schemas = schemaFiles();
  const objects = schemas.flatMap(({ text }) => created(text));
  expect(objects.length).toBeGreaterThan(250);
  expect(objects.filter((object, index) => objects.indexOf(object) !== index)).toEqual([]);
  expect(schemas.map(({ name }) => name).sort()).toEqual(
    (await readdir(path.join(ROOT, 'supabase/schemas'))).sort(),
  );
});

test('no schema file changes an object of another one', () => {
  for (const { name, text } of schemaFiles())
    expect(
      text.match(
        /create or replace|\balter (?!table [\w.]+ enable row level security|publication|default privileges)\w+|\bdrop\b|pg_get_functiondef|\bexecute format\b/gi,
      ) ?? [],
      name,
    ).toEqual([]);
});
