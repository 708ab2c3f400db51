// Starts the built host for a benchmark: a separate process on a temporary PostgreSQL with the demo data, with the durability of
// production.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { startHostProcess } from '../../testing/host-process.ts';
import { RUNNER } from '../../server/bin/build.mjs';
import { atEnd } from './at-end.ts';
import { SECRET } from './users.ts';
import { importServerCode } from './server-code.ts';
import { temporaryFolder } from './temporary-folder.ts';
import type * as clusterModule from '../../server/src/host/db/cluster.ts';
import type * as dataHomeModule from '../../server/src/host/db/data-home.ts';

const NOBODY = 'http://127.0.0.1:9';
/**
 * Settings without limits on logins. The URLs of all external services are a loopback port without a listener, because benchmarks
 * must not call them.
 */
export const QUIET = {
  AUTH_RATE_LIMIT: '1000000',
  JWT_SECRET: SECRET,
  TILE_URL: `${NOBODY}/{z}/{x}/{y}.png`,
  WEATHER_URL: NOBODY,
  GEOCODER_URL: NOBODY,
};

export interface BenchHost {
  url: string;
  connectionString: string;
  anonKey: string;
  pid: number;
  output(): string;
}

/** Starts a PostgreSQL cluster in a folder, with the code of the built server. */
export async function startBenchCluster(folder: string) {
  const { startCluster } = await importServerCode<typeof clusterModule>(
    'server/src/host/db/cluster.ts',
  );
  const { makeDataHome } = await importServerCode<typeof dataHomeModule>(
    'server/src/host/db/data-home.ts',
  );
  const settings = { max_connections: '200' };
  const cluster = await startCluster(makeDataHome(folder), { settings });
  atEnd(() => cluster.stop());
  return cluster;
}

export async function runSql(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connectionString);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

async function emptyDatabase(): Promise<string> {
  const cluster = await startBenchCluster(temporaryFolder());
  await runSql(cluster.connectionString('postgres'), 'create database packpark');
  return cluster.connectionString('packpark');
}

/**
 * @param environment settings that override the defaults
 * @param openDatabase returns the connection string of a database; by default an empty one, to which the host adds the demo
 */
export async function startBenchHost(
  environment: Record<string, string> = {},
  openDatabase: () => Promise<string> = emptyDatabase,
): Promise<BenchHost> {
  const connectionString = await openDatabase();
  const { url, pid, output, stop } = await startHostProcess({
    LOG_LEVEL: 'warn',
    DATABASE_URL: connectionString,
    DATA_DIR: temporaryFolder(),
    DEMO: 'true',
    ...QUIET,
    ...environment,
  });
  atEnd(() => stop());
  const { anonKey } = await (await fetch(`${url}/config.json`)).json();
  return { url, connectionString, anonKey, pid, output };
}

/**
 * Opens a pool of superuser connections to the host's database.
 * @param settings override the pool's defaults
 */
export function openPool({ connectionString }: BenchHost, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString, ...settings });
  // Idle connections fail if the database stops before the pool closes them.
  pool.on('error', () => undefined);
  atEnd(() => pool.end());
  return pool;
}

/** Starts a process that runs a file of this folder with one argument and prints its port. */
export async function startControl(file: string, argument: string) {
  const child = spawn(process.execPath, [RUNNER, path.join(import.meta.dirname, file), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill());
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(port), pid: child.pid ?? 0 };
}
