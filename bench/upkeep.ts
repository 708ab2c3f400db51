// Backup, restore and upgrade of a country’s data folder: time and memory. Control: COPY of all its rows to nowhere.
// UPKEEP_SHARE=0.1 takes a tenth of the country.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { runSql, startBenchCluster } from './lib/bench-host.ts';
import { COUNTRY_SQL } from './lib/country.ts';
import { runPackpark, type Ran } from './lib/run-command.ts';
import { importServerCode, ROOT } from './lib/server-code.ts';
import { round } from './lib/statistics.ts';
import type * as migrateModule from '../server/src/host/db/migrate.ts';

/** How much of the country; 1 is all of it, which takes about ten minutes. */
const COUNTRY_SHARE = Number(process.env.UPKEEP_SHARE ?? 1);

/** Runs `packpark` on a data folder. */
const packpark = (dataDir: string, parameters: string[]): Promise<Ran> =>
  runPackpark(parameters, { DATA_DIR: dataDir });

/** Makes the data folder of a country as the first release of this schema left it. */
async function makeOldCountry(dataDir: string): Promise<void> {
  const { migrateTo } = await importServerCode<typeof migrateModule>(
    'server/src/host/db/migrate.ts',
  );
  const versions = (folder: string) =>
    readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith('.sql'))
      .map((file) => file.split('_')[0] ?? '')
      .sort();
  const cluster = await startBenchCluster(dataDir);
  try {
    await runSql(cluster.connectionString('postgres'), 'create database packpark');
    const client = new pg.Client(cluster.connectionString('packpark'));
    await client.connect();
    try {
      await migrateTo(client, {
        bootstrap: versions('server/src/host/db/bootstrap'),
        migrations: versions('supabase/migrations').slice(0, 1),
      });
      await client.query(
        `set bench.scale = ${COUNTRY_SHARE}; ${readFileSync(COUNTRY_SQL, 'utf8')}`,
      );
      await client.query('drop function public.bench_person');
      await client.query('vacuum analyze');
      await client.query('checkpoint');
    } finally {
      await client.end();
    }
  } finally {
    await cluster.stop();
  }
}

/** Seconds in which PostgreSQL itself copies the same rows out, to nowhere. */
async function copyEverything(dataDir: string): Promise<number> {
  const cluster = await startBenchCluster(dataDir);
  const client = new pg.Client(cluster.connectionString('packpark'));
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'private', 'auth', 'storage')`,
    );
    const began = performance.now();
    for (const { name } of rows) await client.query(`copy ${name} to '/dev/null'`);
    return (performance.now() - began) / 1000;
  } finally {
    await client.end();
    await cluster.stop();
  }
}

export async function run() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-upkeep-'));
  await chmod(folder, 0o755);
  const [before, after] = [path.join(folder, 'before'), path.join(folder, 'after')];
  const archive = path.join(folder, 'archive.tar.gz');
  try {
    console.log('Making the country of the first release …');
    await makeOldCountry(before);
    const copied = await copyEverything(before);
    const backup = await packpark(before, ['backup', archive]);
    const restore = await packpark(after, ['restore', archive]);
    const upgrade = await packpark(before, ['migrate']);
    const size = round(statSync(archive).size / 1e6, 0);
    const rows = (what: string, { seconds, megabytes }: Ran) => [
      {
        goal: 22,
        what: `${what} of a country’s data folder${COUNTRY_SHARE === 1 ? '' : `, ${COUNTRY_SHARE} of it`}`,
        figure: round(seconds, 1),
        unit: 's',
        control: 'COPY of all its rows to nowhere',
        controlFigure: round(copied, 1),
        ratio: round(seconds / copied, 1),
      },
      { goal: 22, what: `${what}: memory of the command`, figure: round(megabytes, 0), unit: 'MB' },
    ];
    return [
      ...rows(`backup (${size} MB)`, backup),
      ...rows('restore, with the steps since the first release,', restore),
      ...rows('upgrade from the first release', upgrade),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
