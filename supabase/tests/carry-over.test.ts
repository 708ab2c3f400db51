// From before the baseline: databases and archives keep every row, and what cannot be carried over says so.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import type pg from 'pg';
import { parseManifest, tableEntry, type Manifest } from '#/cli/archive/manifest.ts';
import { fillTable, listTables, readTable, STABLE_TEXT } from '#/cli/archive/tables.ts';
import { migrateTo, migrateToNewest } from '#/host/db/migrate.ts';
import { ROOT } from '#/host/lib/paths.ts';
import {
  emptyDatabase,
  makeBeforeBaseline,
  UPGRADE,
  versionsBeforeBaseline,
} from '../../server/testing/schema-databases.ts';
import { runCli, temporaryData } from '../../server/testing/run-cli.ts';

/** Made by the commit 26f1ee5, the last one before the baseline, with the demo and rows in every table. */
const ARCHIVE = path.join(ROOT, 'server/testing/fixtures/backup-before-baseline.tar.gz');

/** What the baseline calls differently. */
const RENAMED: Record<string, string> = {
  'private.rates': 'private.rate_limits',
  'private.outside_turns': 'private.service_slots',
};
/** What an upgrade writes itself, and counters of minutes that a step of the host's own forgets. */
const WRITTEN = [
  'supabase_migrations.schema_migrations',
  'packpark_host.bootstrap',
  'auth.rate_limits',
];

function unpacked(): { folder: string; manifest: Manifest } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', folder]);
  return { folder, manifest: parseManifest(readFileSync(`${folder}/manifest.json`, 'utf8')) };
}

async function databaseBefore(name: string, steps?: number) {
  const database = await emptyDatabase(inject('adminConnection'), name);
  onTestFinished(() => database.close());
  await makeBeforeBaseline(database.client, steps);
  return database;
}

type Rows = Record<string, { columns: number; rows: string }>;

/**
 * By the names of now: how many rows a table has, and their hash.
 * @param before compares only the tables and columns of then: later steps add some
 */
async function rowsOf(client: pg.Client, before?: Rows): Promise<Rows> {
  await client.query(`begin; ${STABLE_TEXT}`);
  const found: Rows = {};
  for (const table of await listTables(client)) {
    const stored = `${table.schema}.${table.name}`;
    const name = RENAMED[stored] ?? stored;
    if (WRITTEN.includes(stored) || (before && !(name in before))) continue;
    const columns = table.columns.slice(0, before?.[name]?.columns);
    const { rows, sha256 } = await readTable(client, { ...table, columns }, null);
    found[name] = { columns: columns.length, rows: `${rows} rows ${sha256}` };
  }
  await client.query('commit');
  return found;
}

/**
 * Steps after the baseline move pending photos of parks into a bucket of their own, and leave photos only the day on which
 * they came and parks that on which they changed, where all else of these tables stays; note changes of the list of parks in
 * another table, and make jobs of the pushes that wait.
 */
const MOVED = [
  'storage.buckets',
  'storage.objects',
  'public.park_photos',
  'public.parks',
  'private.park_list',
  'private.push_outbox',
];
/** Of tables that moved, or that came since. */
const OTHER_SEQUENCES = [
  'push_outbox_id_seq',
  'jobs_id_seq',
  'audit_log_id_seq',
  'desk_changes_id_seq',
];
const PENDING_BUCKET = 'pending-photos';

async function storedFiles(client: pg.Client): Promise<unknown[]> {
  const { rows: buckets } = await client.query(
    'select * from storage.buckets where id <> $1 order by id',
    [PENDING_BUCKET],
  );
  const { rows: objects } = await client.query(
    // Of photos of parks only the day is kept.
    `select o.id, o.name, o.version, o.owner_id,
       case when o.bucket_id in ('parks', $1) then o.metadata - 'lastModified' else o.metadata end as metadata,
       case when o.bucket_id in ('parks', $1) then date_trunc('day', o.created_at, 'Asia/Jerusalem') else o.created_at end as created_at,
       case when o.bucket_id = $1 then 'parks' else o.bucket_id end as bucket
     from storage.objects o order by o.id`,
    [PENDING_BUCKET],
  );
  const { rows: photos } = await client.query(
    `select path, park_id, status, date_trunc('day', created_at, 'Asia/Jerusalem') as day
     from public.park_photos order by path`,
  );
  return [buckets, objects, photos];
}

/** All parks, with the day alone on which they changed. @param columns those of then */
async function parksByDay(client: pg.Client, columns: readonly string[]): Promise<unknown[]> {
  const ofDay = `date_trunc('day', updated_at, 'Asia/Jerusalem') as updated_at`;
  const wanted = columns.map((column) => (column === 'updated_at' ? ofDay : column));
  return (await client.query(`select ${wanted.join()} from public.parks order by id`)).rows;
}

const withoutMoved = <Value>(tables: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(tables).filter(([name]) => !MOVED.includes(name)));

test('a database with rows in every table keeps them all', async () => {
  const { folder, manifest } = unpacked();
  const { client, close } = await emptyDatabase(inject('adminConnection'), 'carried_with_rows');
  onTestFinished(close);
  await migrateTo(client, manifest);
  await client.query('begin; set local session_replication_role = replica');
  await client.query(
    `truncate ${manifest.tables.map(({ schema, name }) => `${schema}.${name}`).join(', ')}`,
  );
  for (const table of manifest.tables)
    await fillTable(client, table, path.join(folder, tableEntry(table)));
  // The one table that was empty when the archive was made.
  await client.query(`insert into storage.deleted_bytes (version) values ('swept later')`);
  await client.query('commit');
  const before = await rowsOf(client);
  expect(Object.entries(before).filter(([, { rows }]) => rows.startsWith('0 '))).toEqual([]);
  const pushes = `notification_id || ' ' || device_id as key`;
  const { rows: pushesBefore } = await client.query(
    `select ${pushes}, due_at, created_at from private.push_outbox order by id`,
  );
  const filesBefore = await storedFiles(client);
  const { columns = [] } = manifest.tables.find(({ name }) => name === 'parks') ?? {};
  const parksBefore = await parksByDay(client, columns);
  expect(parksBefore).toHaveLength(40);
  expect(await migrateToNewest(client)).toContain('20261122000000_baseline (carried over)');
  expect(withoutMoved(await rowsOf(client, before))).toEqual(withoutMoved(before));
  expect(await storedFiles(client)).toEqual(filesBefore);
  expect(await parksByDay(client, columns)).toEqual(parksBefore);
  const { rows: jobs } = await client.query(
    `select key, due_at, created_at from private.jobs where kind = 'send-push' order by id`,
  );
  expect(jobs).toEqual(pushesBefore);
  expect(await migrateToNewest(client)).toEqual([]);
});

/** How many columns a table of now had in the archive. */
const columnsBefore = (manifest: Manifest, now: { schema: string; name: string }) =>
  manifest.tables.find(
    ({ schema, name }) =>
      (RENAMED[`${schema}.${name}`] ?? `${schema}.${name}`) === `${now.schema}.${now.name}`,
  )?.columns.length;

test('an archive of before comes back with all rows and files, at the schema of now', async () => {
  const { manifest } = unpacked();
  const [there, keep] = [temporaryData(), temporaryData()];
  const restored = await runCli(['restore', ARCHIVE], { DATA_DIR: there });
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain(`Restored ${manifest.tables.length} tables`);
  const again = path.join(keep, 'again.tar.gz');
  await runCli(['backup', again], { DATA_DIR: there });
  execFileSync('tar', ['-xzf', again, '-C', keep]);
  const now = parseManifest(readFileSync(path.join(keep, 'manifest.json'), 'utf8'));
  expect(now.migrations[0]).toBe('20261122000000');
  const widened = new Set(
    now.tables
      .filter((table) => table.columns.length !== columnsBefore(manifest, table))
      .map(({ schema, name }) => `${schema}.${name}`),
  );
  const content = (tables: Manifest['tables']) =>
    Object.fromEntries(
      tables
        .map(({ schema, name, sha256 }) => [`${schema}.${name}`, sha256] as const)
        .filter(([name]) => !WRITTEN.includes(name) && !MOVED.includes(name))
        .map(([name, sha256]) => [RENAMED[name] ?? name, sha256] as const)
        // What later steps gave a column is compared without it, in the test above.
        .filter(([name]) => !widened.has(name)),
    );
  expect(content(now.tables)).toEqual(content(manifest.tables));
  expect(now.files).toEqual(manifest.files);
  const others = ({ sequences }: Manifest) =>
    sequences.filter(({ name }) => !OTHER_SEQUENCES.includes(name));
  expect(others(now)).toEqual(others(manifest));
});

test('a database with a part of the steps gets the others first', async () => {
  const { client } = await databaseBefore('half_migrated', 20);
  const applied = await migrateToNewest(client);
  const first = [
    ...(await versionsBeforeBaseline())
      .slice(20)
      .map((version) => expect.stringMatching(`^${version}_`) as string),
    '20261122000000_baseline (carried over)',
  ];
  expect(applied.slice(0, first.length)).toEqual(first);
});

test('the script alone, as the platform runs it, refuses a part of the steps and changes nothing', async () => {
  const { client } = await databaseBefore('half_on_the_platform', 38);
  const before = await rowsOf(client);
  await expect(
    client.query(readFileSync(path.join(UPGRADE, 'carry-over.sql'), 'utf8')),
  ).rejects.toThrow(
    /^This database has 38 of the 39 steps that come before the baseline, and 0 others: bring it to the last of the 39 first/,
  );
  expect(await rowsOf(client)).toEqual(before);
});

test('a step of somebody else is not known: one sentence, nothing changed', async () => {
  const { client } = await databaseBefore('of_somebody_else');
  await client.query(
    `insert into supabase_migrations.schema_migrations (version) values ('20300101000000')`,
  );
  await expect(migrateToNewest(client)).rejects.toThrow(
    'The step 20300101000000 of the schema is not known here: it comes from a newer Packpark.',
  );
  expect((await client.query(`select to_regclass('private.rates') as table`)).rows).toEqual([
    { table: 'private.rates' },
  ]);
});
