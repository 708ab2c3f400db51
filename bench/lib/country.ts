// The data of a country (country.sql), made once, kept as a template database in bench/.country, and copied for each benchmark.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  runSql,
  startBenchCluster,
  startBenchHost,
  type BenchDatabase,
  type BenchHost,
} from './bench-host.ts';
import { ROOT } from './server-code.ts';
import { WITHOUT_LIMITS } from './without-limits.ts';

/** How much of the country there is. */
export type Scale = 'full' | 'tenth';

const SHARE: Record<Scale, number> = { full: 1, tenth: 0.1 };
const FOLDER = path.join(import.meta.dirname, '../.country');
const LOG = 'postgres.log';
/** What makes the data, on any schema since the first release. */
export const COUNTRY_SQL = path.join(import.meta.dirname, 'country.sql');

/** The id of person number `n`, as country.sql makes it. */
export function personId(n: number): string {
  const hex = createHash('md5').update(`person ${n}`).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** How many people there are. */
export const peopleOf = (scale: Scale): number => 200_000 * SHARE[scale];
/** How many parks there are; their ids begin with 1. */
export const parksOf = (scale: Scale): number => 3000 * SHARE[scale];

/** Another name for each version of what the data is made from. */
function templateName(scale: Scale): string {
  const hash = createHash('sha256').update(readFileSync(COUNTRY_SQL));
  const migrations = path.join(ROOT, 'supabase/migrations');
  for (const file of readdirSync(migrations).sort())
    hash.update(readFileSync(path.join(migrations, file)));
  return `country_${scale}_${hash.digest('hex').slice(0, 12)}`;
}

/** Opens a copy of the template, which is made first where it is not there. */
async function openCountry(scale: Scale): Promise<BenchDatabase> {
  mkdirSync(FOLDER, { recursive: true });
  chmodSync(FOLDER, 0o755);
  const cluster = await startBenchCluster(FOLDER, {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_nested_statements': 'on',
    logging_collector: 'on',
    log_filename: LOG,
  });
  const admin = (text: string) => runSql(cluster.connectionString('postgres'), text);
  const template = templateName(scale);
  try {
    const { rows } = await admin(
      `select datname as name from pg_database where datname like 'country_${scale}_%' or datname like 'run_%'`,
    );
    for (const { name } of rows)
      if (name !== template) await admin(`drop database ${name} with (force)`);
    if (!rows.some(({ name }) => name === template)) {
      console.log(`Making the country (${scale}) …`);
      await admin(`create database ${template}_new`);
      const connection = cluster.connectionString(`${template}_new`);
      execFileSync(process.execPath, ['server/bin/packpark.mjs', 'migrate'], {
        cwd: ROOT,
        env: { ...process.env, DATABASE_URL: connection },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const sql = readFileSync(COUNTRY_SQL, 'utf8');
      await runSql(connection, `set bench.scale = ${SHARE[scale]}; ${sql}`);
      await runSql(connection, 'vacuum analyze');
      await admin(`alter database ${template}_new rename to ${template}`);
    }
    const name = `run_${process.pid}`;
    await admin(`create database ${name} template ${template} strategy file_copy`);
    await runSql(cluster.connectionString(name), WITHOUT_LIMITS);
    // Else the first seconds of a benchmark wait for the disk, which still writes the copy.
    await admin('checkpoint');
    const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-bench-'));
    return {
      connectionString: cluster.connectionString(name),
      folder,
      async remove() {
        await admin(`drop database ${name} with (force)`);
        await cluster.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/**
 * The plans of what `work` runs, those within functions, too.
 * @param slowMs of statements that take longer
 */
export async function plansOf(
  { connectionString }: BenchHost,
  slowMs: number,
  work: () => Promise<unknown>,
): Promise<string> {
  const { rows } = await runSql(connectionString, 'show data_directory');
  const log = path.join(rows[0].data_directory, 'log', LOG);
  const before = readFileSync(log).length;
  const explain = (duration: number) =>
    runSql(connectionString, `alter system set auto_explain.log_min_duration = ${duration}`).then(
      () => runSql(connectionString, 'select pg_reload_conf()'),
    );
  await explain(slowMs);
  try {
    await work();
  } finally {
    await explain(-1);
  }
  return readFileSync(log).subarray(before).toString();
}

/** A host on a copy of the country. @param environment settings on top of the defaults */
export function startCountryHost(
  scale: Scale,
  environment: Record<string, string> = {},
): Promise<BenchHost> {
  return startBenchHost({ DEMO: 'false', ...environment }, () => openCountry(scale));
}
