// Creates the large dataset (large-dataset.sql) once as a template database in bench/.large-dataset and copies it for each
// benchmark.
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

const FOLDER = path.join(import.meta.dirname, '../.large-dataset');
/** Scripts that create the data and the pending desk items. */
const DATASET_SQL = path.join(import.meta.dirname, 'large-dataset.sql');
const DESK_SQL = path.join(import.meta.dirname, 'large-dataset-desk.sql');

/**
 * Moves visits with an unanswered question to today, because a question can be answered for one day and the template may be older.
 */
const RENEW = `update public.check_ins c set started_at = now() - interval '3 hours', expires_at = now() - interval '2 hours', ended_at = now() - interval '2 hours'
  where c.asked_fact is not null and c.ended_at is not null`;

/** Returns a name that is different for each version of the scripts. */
function templateName(scale: Scale): string {
  const hash = createHash('sha256');
  for (const file of [DATASET_SQL, DESK_SQL]) hash.update(readFileSync(file));
  const migrations = path.join(ROOT, 'supabase/migrations');
  for (const file of readdirSync(migrations).sort())
    hash.update(readFileSync(path.join(migrations, file)));
  return `country_${scale}_${hash.digest('hex').slice(0, 12)}`;
}

/** The PostgreSQL server that holds the template databases and their copies. */
let server: ReturnType<typeof startBenchCluster> | undefined;

function takeServer() {
  mkdirSync(FOLDER, { recursive: true });
  chmodSync(FOLDER, 0o755);
  atEnd(() => (server = undefined));
  return (server ??= startBenchCluster(FOLDER));
}

/** Opens a copy of the template, creating the template if necessary. */
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
    for (const file of [DATASET_SQL, DESK_SQL])
      await runSql(connection, `set bench.scale = ${SHARE[scale]}; ${readFileSync(file, 'utf8')}`);
    await runSql(connection, 'vacuum analyze');
    await admin(`alter database ${template}_new rename to ${template}`);
  }
  const name = `run_${process.pid}_${scale}`;
  await admin(`create database ${name} template ${template} strategy file_copy`);
  atEnd(() => admin(`drop database ${name} with (force)`));
  await runSql(cluster.connectionString(name), `${WITHOUT_LIMITS}; ${RENEW}`);
  // Without this checkpoint, the first seconds of a benchmark would include writing the copy to the disk.
  await admin('checkpoint');
  return cluster.connectionString(name);
}

/** Returns the processor time in seconds of all processes of the dataset's PostgreSQL. */
export function databaseSeconds(): number {
  const file = path.join(FOLDER, 'postgres/postmaster.pid');
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(' ').map(Number)].reduce(
    (sum, pid) => sum + processorSecondsOrNone(pid),
    // Includes ended children, because each connection is served by a child process.
    endedChildrenSeconds(postmaster),
  );
}

/** Returns 0 if the process has just ended. */
function processorSecondsOrNone(pid: number): number {
  try {
    return processorSeconds(pid);
  } catch {
    return 0;
  }
}

/**
 * Starts a host on a copy of the dataset.
 * @param environment settings on top of the defaults
 */
export const startLargeDatasetHost = (
  scale: Scale,
  environment: Record<string, string> = {},
): Promise<BenchHost> =>
  startBenchHost({ DEMO: 'false', ...environment }, () => openLargeDataset(scale));
