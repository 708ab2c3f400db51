// The data of a country (country.sql), made once, kept as a template database in bench/.country, and copied for each benchmark.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { atEnd } from './at-end.ts';
import { runSql, startBenchCluster, startBenchHost, type BenchHost } from './bench-host.ts';
import { endedChildrenSeconds, processorSeconds } from './processor-time.ts';
import { SHARE, type Scale } from './large-dataset-sizes.ts';
import { ROOT } from './server-code.ts';
import { WITHOUT_LIMITS } from './without-limits.ts';

const FOLDER = path.join(import.meta.dirname, '../.country');
/** What makes the data, and what waits at the desk. */
const COUNTRY_SQL = path.join(import.meta.dirname, 'country.sql');
const DESK_SQL = path.join(import.meta.dirname, 'country-desk.sql');

/** Whatever the age of the template: a question is answered within a day of its visit. */
const RENEW = `update public.check_ins c set started_at = now() - interval '3 hours', expires_at = now() - interval '2 hours', ended_at = now() - interval '2 hours'
  where c.asked_fact is not null and c.ended_at is not null`;

/** Another name for each version of what the data is made from. */
function templateName(scale: Scale): string {
  const hash = createHash('sha256');
  for (const file of [COUNTRY_SQL, DESK_SQL]) hash.update(readFileSync(file));
  const migrations = path.join(ROOT, 'supabase/migrations');
  for (const file of readdirSync(migrations).sort())
    hash.update(readFileSync(path.join(migrations, file)));
  return `country_${scale}_${hash.digest('hex').slice(0, 12)}`;
}

/** The one server of all countries. */
let server: ReturnType<typeof startBenchCluster> | undefined;

function takeServer() {
  mkdirSync(FOLDER, { recursive: true });
  chmodSync(FOLDER, 0o755);
  atEnd(() => (server = undefined));
  return (server ??= startBenchCluster(FOLDER));
}

/** Opens a copy of the template, which is made first where it is not there. */
async function openLargeDataset(scale: Scale): Promise<string> {
  const cluster = await takeServer();
  const admin = (text: string) => runSql(cluster.connectionString('postgres'), text);
  const template = templateName(scale);
  const { rows } = await admin(
    `select datname as name from pg_database where datname like 'country_${scale}_%' or (datname like 'run_%' and datname not like 'run_${process.pid}_%')`,
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
    for (const file of [COUNTRY_SQL, DESK_SQL])
      await runSql(connection, `set bench.scale = ${SHARE[scale]}; ${readFileSync(file, 'utf8')}`);
    await runSql(connection, 'vacuum analyze');
    await admin(`alter database ${template}_new rename to ${template}`);
  }
  const name = `run_${process.pid}_${scale}`;
  await admin(`create database ${name} template ${template} strategy file_copy`);
  atEnd(() => admin(`drop database ${name} with (force)`));
  await runSql(cluster.connectionString(name), `${WITHOUT_LIMITS}; ${RENEW}`);
  // Else the first seconds of a benchmark wait for the disk, which still writes the copy.
  await admin('checkpoint');
  return cluster.connectionString(name);
}

/** Seconds of processor time that all processes of the country's PostgreSQL have used. */
export function databaseSeconds(): number {
  const file = path.join(FOLDER, 'postgres/postmaster.pid');
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(' ').map(Number)].reduce(
    (sum, pid) => sum + processorSecondsOrNone(pid),
    // An unused connection ends.
    endedChildrenSeconds(postmaster),
  );
}

/** 0 for a process that has just ended. */
function processorSecondsOrNone(pid: number): number {
  try {
    return processorSeconds(pid);
  } catch {
    return 0;
  }
}

/** A host on a copy of the country. @param environment settings on top of the defaults */
export const startLargeDatasetHost = (
  scale: Scale,
  environment: Record<string, string> = {},
): Promise<BenchHost> =>
  startBenchHost({ DEMO: 'false', ...environment }, () => openLargeDataset(scale));
