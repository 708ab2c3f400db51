// A backup goes from the built-in PostgreSQL onto the oldest that Packpark runs on, and back; another baseline is refused.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { workOn } from '#/cli/with-database.ts';
import { openForHost } from '#/host/db/connect.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { readSettings } from '#/product/settings.ts';
import { readCatalogue } from '../../../testing/catalogue.ts';
import { startPostgres15 } from '../../../testing/postgres-15.ts';
import { migratedData, runCli, temporaryData } from '../../../testing/run-cli.ts';
import { connectTo } from '../../../testing/test-host.ts';

test('a backup of PostgreSQL 18 restores on 15, and its backup on 18', async () => {
  const [here, keep] = [migratedData(), temporaryData()];
  const archive = path.join(keep, 'of-18.tar.gz');
  await runCli(['backup', archive], { DATA_DIR: here });

  const { url: DATABASE_URL } = await startPostgres15();
  const client = new pg.Client(DATABASE_URL);
  await vi.waitFor(async () => {
    const tried = await connectTo(DATABASE_URL);
    await tried.end();
  }, 60_000);
  const there = { DATA_DIR: temporaryData(), DATABASE_URL };
  const restored = await runCli(['restore', archive], there);
  expect(restored.stderr).toBe('');
  expect(restored.stdout).toContain('each was compared with the backup');
  await client.connect();
  const { rows } = await client.query('show server_version_num');
  expect(Math.floor(Number(Object.values(rows[0] as object)[0]) / 10_000)).toBe(15);
  await client.query(
    `insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'fifteen@example.test')`,
  );
  await client.end();

  const second = path.join(keep, 'of-15.tar.gz');
  expect((await runCli(['backup', second], there)).stdout).toContain('Backed up ');
  const back = await runCli(['restore', second], { DATA_DIR: temporaryData() });
  expect(back.stderr).toBe('');
  expect(back.stdout).toContain('each was compared with the backup');
});

test('a data folder of another baseline is refused at the start and left as it was', async () => {
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
  const refused = await runCli(['start'], { DATA_DIR: data, PORT: '0' });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^The database has the schema \d+_baseline_00000000, and this Packpark's schema begins with .* Nothing was changed\.$/m,
  );
  expect(await picture()).toEqual(before);
});
