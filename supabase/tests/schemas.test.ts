// supabase/schemas is what is true: the steps lead exactly there, and nothing is defined there twice.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { ROOT } from '#/host/lib/paths.ts';
import type pg from 'pg';
import { differences, readCatalogue, readRows, type Catalogue } from '../../testing/catalogue.ts';
import {
  emptyDatabase,
  makeFromMigrations,
  makeFromSchemas,
  readSchemas,
} from '../../testing/schema-databases.ts';

const NONE = { gone: [], added: [], changed: [] };

async function catalogueOf(
  name: string,
  make: (client: pg.ClientBase) => Promise<void>,
): Promise<Catalogue> {
  const database = await emptyDatabase(inject('adminConnection'), name);
  try {
    await make(database.client);
    return new Map([
      ...(await readCatalogue(database.client)),
      ...(await readRows(database.client)),
    ]);
  } finally {
    await database.close();
  }
}

test('the steps lead to what the schema files say', async () => {
  const declared = await catalogueOf('made_from_schemas', makeFromSchemas);
  const stepped = await catalogueOf('made_from_migrations', makeFromMigrations);
  expect(declared.size).toBeGreaterThan(1000);
  const names = [...declared.keys()].join('\n');
  expect(names).toContain('row of private.retention:');
  expect(names).toContain('row of private.notification_kinds:');
  expect(differences(declared, stepped)).toEqual(NONE);
});

/** Every `create` of a file, without bodies, texts and comments. */
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
    .map(([, kind = '', rest = '']) =>
      kind === 'trigger' || kind === 'policy'
        ? `${kind} ${/^("[^"]+"|\w+)/.exec(rest)?.[0]} on ${/\bon ([\w.]+)$/.exec(rest)?.[1]}`
        : `${kind} ${/^(?:if not exists\s+)?(?:"[^"]+"|[\w.]+)/.exec(rest)?.[0]}`,
    )
    .filter((object) => object !== 'index on');
}

test('each object is defined once, in a file that config.toml names', async () => {
  const schemas = await readSchemas();
  const objects = schemas.flatMap(({ sql }) => created(sql));
  expect(objects.length).toBeGreaterThan(250);
  expect(objects.filter((object, index) => objects.indexOf(object) !== index)).toEqual([]);
  expect(schemas.map(({ file }) => file).sort()).toEqual(
    (await readdir(path.join(ROOT, 'supabase/schemas'))).sort(),
  );
});

test('no schema file changes what another one defined', async () => {
  for (const { file, sql } of await readSchemas())
    expect(
      sql.match(
        /create or replace|\balter (?!table [\w.]+ enable row level security|publication|default privileges)\w+|\bdrop\b|pg_get_functiondef|\bexecute format\b/gi,
      ) ?? [],
      file,
    ).toEqual([]);
});
