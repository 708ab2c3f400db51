// The built host for a benchmark: a process of its own on a throw-away PostgreSQL with the demo seed, durable as in production.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startHostProcess } from '../../testing/host-process.ts';
import { RUNNER } from '../../server/bin/build.mjs';
import { atEnd } from './at-end.ts';
import { SECRET } from './people.ts';
import { importServerCode } from './server-code.ts';
import type * as clusterModule from '../../server/src/host/db/cluster.ts';
import type * as dataHomeModule from '../../server/src/host/db/data-home.ts';

/** Outside services must not be asked: an address on loopback where nothing listens. */
const NOBODY = 'http://127.0.0.1:9';

export interface BenchHost {
  url: string;
  connectionString: string;
  anonKey: string;
  pid: number;
  /** What it has printed so far. */
  output(): string;
}

export interface BenchDatabase {
  connectionString: string;
  /** A folder of its own beside it, which `remove` removes, too. */
  folder: string;
  remove(): Promise<void>;
}

/** A cluster of the built server's kind in a folder. @param settings of PostgreSQL, over its own */
export async function startBenchCluster(folder: string, settings: Record<string, string> = {}) {
  const { startCluster } = await importServerCode<typeof clusterModule>(
    'server/src/host/db/cluster.ts',
  );
  const { makeDataHome } = await importServerCode<typeof dataHomeModule>(
    'server/src/host/db/data-home.ts',
  );
  return startCluster(makeDataHome(folder), { settings: { max_connections: '200', ...settings } });
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

async function emptyDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-bench-'));
  await chmod(folder, 0o755);
  const cluster = await startBenchCluster(folder);
  await runSql(cluster.connectionString('postgres'), 'create database packpark');
  return {
    connectionString: cluster.connectionString('packpark'),
    folder,
    async remove() {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * @param environment settings on top of the defaults
 * @param openDatabase makes the database; an empty one, which the host fills with the demo, unless given
 */
export async function startBenchHost(
  environment: Record<string, string> = {},
  openDatabase: () => Promise<BenchDatabase> = emptyDatabase,
): Promise<BenchHost> {
  const { connectionString, folder, remove } = await openDatabase();
  atEnd(remove);
  const { url, pid, output, stop } = await startHostProcess({
    LOG_LEVEL: 'warn',
    DATABASE_URL: connectionString,
    DATA_DIR: path.join(folder, 'data'),
    DEMO: 'true',
    AUTH_RATE_LIMIT: '1000000',
    JWT_SECRET: SECRET,
    TILE_URL: `${NOBODY}/{z}/{x}/{y}.png`,
    WEATHER_URL: NOBODY,
    GEOCODER_URL: NOBODY,
    ...environment,
  });
  atEnd(() => stop());
  const { anonKey } = await (await fetch(`${url}/config.json`)).json();
  return { url, connectionString, anonKey, pid, output };
}

/** Connections to the host's database with all rights. @param settings over the usual ones of a pool */
export function openPool({ connectionString }: BenchHost, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString, ...settings });
  // Idle connections may notice that the database stops before the pool closes them.
  pool.on('error', () => undefined);
  atEnd(() => pool.end());
  return pool;
}

/** A process that runs a file beside this one, with one argument, and says on which port it listens. */
export async function startControl(file: string, argument: string) {
  const child = spawn(process.execPath, [RUNNER, path.join(import.meta.dirname, file), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => child.kill());
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(port), pid: child.pid ?? 0 };
}
