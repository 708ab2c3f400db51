// Backup, restore and upgrade of a country’s data folder: time and memory. Control: COPY of all its rows to nowhere.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { runSql, startBenchCluster } from './lib/bench-host.ts';
import { COUNTRY_SQL } from './lib/country.ts';
import { importServerCode, ROOT } from './lib/server-code.ts';
import { round } from './lib/statistics.ts';
import type * as migrateModule from '../server/src/host/db/migrate.ts';

/** How often the memory of a command is read, in ms: its highest mark is the kernel's own. */
const WATCH_MS = 50;

interface Ran {
  seconds: number;
  /** The highest resident set of the command's own process; PostgreSQL's is apart. */
  megabytes: number;
}

/** Runs `packpark` on a data folder. @throws where it fails */
function packpark(dataDir: string, parameters: string[]): Promise<Ran> {
  const began = performance.now();
  const child = spawn(process.execPath, ['server/bin/packpark.mjs', ...parameters], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PACKPARK_SETTINGS: '/dev/null',
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let kilobytes = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      kilobytes = Math.max(kilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended.
    }
  }, WATCH_MS);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      clearInterval(watch);
      if (code !== 0) reject(new Error(`packpark ${parameters[0]} ended with ${code}`));
      else resolve({ seconds: (performance.now() - began) / 1000, megabytes: kilobytes / 1000 });
    });
  });
}

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
      await client.query(`set bench.scale = 1; ${readFileSync(COUNTRY_SQL, 'utf8')}`);
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
        what: `${what} of a country’s data folder`,
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
