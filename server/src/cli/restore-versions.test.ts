// Tests that a backup of the built-in PostgreSQL can be restored on the oldest supported version and back, and that another SQL
// baseline is rejected.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { workOn } from '#/cli/with-database.ts';
import { openForHost } from '#/host/db/connect.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { readSettings } from '#/product/settings.ts';
import { readCatalogue } from '../../../testing/catalogue.ts';
import { startPostgres15 } from '../../../testing/postgres-15.ts';
import { dropSiteDatabase, siteDatabase } from '../../../testing/site-database.ts';
import { migratedData, runCli, startCli, temporaryData } from '../../../testing/run-cli.ts';
import { connectTo } from '../../../testing/test-host.ts';

test('a backup of PostgreSQL 18 is restored on 15 as the documented role, and back; another role is rejected', async () => {
  const [here, keep] = [migratedData(), temporaryData()];
  const archive = path.join(keep, 'of-18.tar.gz');
  await runCli(['backup', archive], { DATA_DIR: here });

  const server = await startPostgres15();
  const DATABASE_URL = await server.siteUrl();
  const there = { DATA_DIR: temporaryData(), DATABASE_URL };
  const superuser = {
    ...there,
    DATABASE_URL: server.url.replace('/postgres?', '/packpark?'),
  };
  const sentence =
    /The database "packpark" belongs to the role "packpark", and DATABASE_URL logs in as "postgres"/;
  const rejected = await runCli(['restore', archive], superuser);
  expect(rejected).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(sentence),
  });
  expect((await runCli(['restore', '--try', archive], superuser)).stderr).toMatch(sentence);
  expect((await runCli(['doctor'], superuser)).stdout).toMatch(sentence);
  expect((await runCli(['doctor'], there)).stdout).toMatch(/^note +The database .* is empty/m);
  expect((await runCli(['restore', '--try', archive], there)).code).toBe(0);
  const restored = await runCli(['restore', archive], there);
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain('each was compared with the backup');
  const client = await connectTo(DATABASE_URL);
  const { rows } = await client.query('show server_version_num');
  expect(Math.floor(Number(Object.values(rows[0] as object)[0]) / 10_000)).toBe(15);
  await client.query(
    `insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'fifteen@example.test')`,
  );
  // Triggers are enabled again, and foreign keys are checked.
  const off = `select from pg_trigger where not tgisinternal and tgenabled <> 'O'`;
  expect((await client.query(off)).rowCount).toBe(0);
  await expect(
    client.query(
      'insert into public.favourite_parks (user_id, park_id) values (gen_random_uuid(), 1)',
    ),
  ).rejects.toThrow(/violates foreign key/);
  const host = await startCli({ ...there, DEMO: 'false' });
  expect((await fetch(`${host.url}/readyz`)).status).toBe(200);
  await host.end('SIGTERM');

  const second = path.join(keep, 'of-15.tar.gz');
  expect((await runCli(['backup', second], there)).stdout).toContain('Backed up ');
  const back = await runCli(['restore', second], { DATA_DIR: temporaryData() });
  expect(back.stderr).toBe('');
  expect(back.stdout).toContain('each was compared with the backup');
});

test('a restore into a database of PostgreSQL 18 leaves its schema unchanged', async () => {
  const [here, keep] = [migratedData(), temporaryData()];
  const archive = path.join(keep, 'one.tar.gz');
  await runCli(['backup', archive], { DATA_DIR: here });
  const admin = await connectTo(inject('adminConnection'));
  const name = 'restored_as_owner';
  const DATABASE_URL = await siteDatabase(admin, inject('adminConnection'), name);
  await admin.query(`grant anon, authenticated, service_role to ${name} with admin option`);
  onTestFinished(() => dropSiteDatabase(admin, name));
  const migrated = { DATA_DIR: temporaryData(), DATABASE_URL };
  expect((await runCli(['migrate'], migrated)).code).toBe(0);
  const client = await connectTo(DATABASE_URL);
  const before = await readCatalogue(client);
  const restored = await runCli(['restore', archive], migrated);
  expect(restored.stderr).toBe('');
  expect(await readCatalogue(client)).toEqual(before);
});

test('a data folder of another baseline is rejected at the start and left unchanged', async () => {
  const data = migratedData();
  const inDatabase = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const settings = readSettings({ DATA_DIR: data });
    return workOn(await openForHost(settings, makeDataHome(data)), work);
  };
  await inDatabase((client) =>
    client.query(`update supabase_migrations.schema_migrations set name = 'baseline_00000000'`),
  );
  const picture = async () => ({
    files: readdirSync(data).toSorted(),
    catalogue: await inDatabase(readCatalogue),
    rows: await inDatabase(
      async (client) =>
        (await client.query('select version, name from supabase_migrations.schema_migrations'))
          .rows,
    ),
  });
  const before = await picture();
  const result = await runCli(['start'], { DATA_DIR: data, PORT: '0' });
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(
    /^The database has the schema \d+_baseline_00000000, and this Packpark's schema begins with .* Nothing was changed\.$/m,
  );
  expect(await picture()).toEqual(before);
});
