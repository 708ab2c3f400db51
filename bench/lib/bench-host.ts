// The built host for a benchmark: a process of its own on a throw-away PostgreSQL with the demo seed, durable as in production.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startHostProcess } from '../../scripts/lib/host-process.ts';
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
  /** The address of --inspect, where it is on. */
  inspector: string | undefined;
  stop(): Promise<void>;
}

/** @param environment settings on top of the defaults */
export async function startBenchHost(environment: Record<string, string> = {}): Promise<BenchHost> {
  const { startCluster } = await importServerCode<typeof clusterModule>(
    'server/src/host/db/cluster.ts',
  );
  const { dataHome } = await importServerCode<typeof dataHomeModule>(
    'server/src/host/db/data-home.ts',
  );
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-bench-'));
  await chmod(folder, 0o755);
  const cluster = await startCluster(dataHome(folder), { settings: { max_connections: '200' } });
  const admin = new pg.Client(cluster.connectionString('postgres'));
  await admin.connect();
  await admin.query('create database packpark');
  await admin.end();
  const connectionString = cluster.connectionString('packpark');

  const removeDatabase = async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const host = await startHostProcess({
    LOG_LEVEL: 'warn',
    DATABASE_URL: connectionString,
    DATA_DIR: path.join(folder, 'data'),
    DEMO: 'true',
    AUTH_RATE_LIMIT: '1000000',
    TILE_URL: `${NOBODY}/{z}/{x}/{y}.png`,
    WEATHER_URL: NOBODY,
    GEOCODER_URL: NOBODY,
    ...environment,
  }).catch(async (error: unknown) => {
    // Else the database would keep this process alive.
    await removeDatabase();
    throw error;
  });
  const { anonKey } = await (await fetch(`${host.url}/config.json`)).json();
  return {
    url: host.url,
    connectionString,
    anonKey,
    pid: host.pid,
    inspector: /ws:\/\/\S+/.exec(host.output())?.[0],
    async stop() {
      await host.stop();
      await removeDatabase();
    },
  };
}
