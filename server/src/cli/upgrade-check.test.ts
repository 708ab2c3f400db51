// Tests that upgrade-check reports what prevents an upgrade and what a downgrade would require.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { migratedData, temporaryData } from '../../../testing/run-cli.ts';
import { connectTo, createTestDatabase } from '../../../testing/test-host.ts';
import { collect } from '#/cli/report.ts';
import { command, checkNode, checkFreeSpace, upgradeChecks } from '#/cli/upgrade-check.ts';
import { readSettings } from '#/product/settings.ts';

const MEGABYTE = 2 ** 20;

// Suppresses the line on standard error that names the database.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function createSite() {
  const DATABASE_URL = await createTestDatabase();
  const client = await connectTo(DATABASE_URL);
  const settings = readSettings({ DATABASE_URL, DATA_DIR: temporaryData() });
  /** The results about the database. Other tests cover the first two results, Node and the build. */
  const find = async () => (await collect(upgradeChecks(settings))).slice(2);
  return { client, settings, find };
}

test('a site on the schema of this release can be upgraded; a missing backup is noted', async () => {
  const { client, find } = await createSite();
  expect(await find()).toEqual([
    ['ok', 'The database has the schema of this release: the earlier one can run on it again.'],
    ['note', 'No backup of this database was ever made: run npx packpark backup.'],
    ['ok', expect.stringMatching(/^A backup may take \d+ MB; .+ are free in \/.+\.$/)],
  ]);
  await client.query(`select private.record_job('backup', '1 day')`);
  expect((await find())[1]).toEqual(['ok', 'The last backup is 0 hours old.']);
});

test('if the start would change the schema, an upgrade without a recent backup is rejected', async () => {
  const { client, find } = await createSite();
  const { rows } = await client.query<{ migration: string }>(
    `delete from supabase_migrations.schema_migrations
     where version = (select max(version) from supabase_migrations.schema_migrations) returning version || '_' || name as migration`,
  );
  const change = `The start applies the migrations up to ${rows[0]?.migration} (1 in all); to go back, restore a backup.`;
  expect((await find()).slice(0, 2)).toEqual([
    ['note', change],
    ['bad', 'No backup of this database was ever made: run npx packpark backup.'],
  ]);
  await client.query(`select private.record_job('backup', '1 day')`);
  await client.query(
    `update private.jobs set done_at = done_at - interval '30 hours' where type = 'backup'`,
  );
  const old = 'The last backup is 30 hours old: run npx packpark backup.';
  expect((await find())[1]).toEqual(['bad', old]);
});

test('a database that a newer release has migrated is rejected with exit code 1', async () => {
  const { client, settings, find } = await createSite();
  await client.query(
    `insert into supabase_migrations.schema_migrations (version, name) values ('99991231000000', 'newer')`,
  );
  const newer = /has the migration 99991231000000_newer of a newer/;
  expect(await find()).toEqual([['bad', expect.stringMatching(newer)]]);

  vi.stubEnv('DATABASE_URL', settings.DATABASE_URL);
  vi.stubEnv('DATA_DIR', settings.DATA_DIR);
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const run = command.run({ values: {}, positionals: [], appBuilt: Promise.resolve(true) });
  await expect(run).rejects.toThrow('This release cannot take over yet.');
  expect(print.mock.calls.flat().join('\n')).toContain('bad   The database has the migration');
});

test('data of another major version of PostgreSQL is reported and not opened', async () => {
  const DATA_DIR = migratedData();
  writeFileSync(path.join(DATA_DIR, 'postgres/PG_VERSION'), '17\n');
  const results = await collect(upgradeChecks(readSettings({ DATA_DIR })));
  const other = /^The data is of PostgreSQL 17, and this release contains PostgreSQL \d+: /;
  expect(results.slice(2)).toEqual([['bad', expect.stringMatching(other)]]);
});

test('data without a running server is opened for the check', async () => {
  const DATA_DIR = migratedData();
  const results = await collect(upgradeChecks(readSettings({ DATA_DIR })));
  expect(results.slice(2).map(([kind]) => kind)).toEqual(['ok', 'ok', 'note', 'ok']);
});

test.each([
  ['20.18.9', 'bad'],
  ['20.19.0', 'ok'],
  ['26.0.0', 'ok'],
])('Node %s is %s', (version, kind) => {
  expect(checkNode(version)[0]).toBe(kind);
});

test.each([
  [99, 'bad'],
  [299, 'note'],
  [300, 'ok'],
])('for a site of 100 MB, %d free MB are %s', (free, kind) => {
  expect(checkFreeSpace(100 * MEGABYTE, free * MEGABYTE, '/data')[0]).toBe(kind);
});
