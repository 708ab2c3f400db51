// The built host for a benchmark: a process of its own on a throw-away PostgreSQL with the demo seed, durable as in production.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startHostProcess } from '../../scripts/lib/host-process.ts';
import { importServerCode } from './server-code.ts';

/** Outside services must not be asked: an address on loopback where nothing listens. */
const NOBODY = 'http://127.0.0.1:9';

/**
 * @param environment settings on top of the defaults
 * @returns {url, connectionString, anonKey, pid, inspector, stop()}; `inspector` is the address of --inspect, where it is on
 */
export async function startBenchHost(environment = {}) {
  const { startCluster } = await importServerCode('server/src/host/db/cluster.ts');
  const { dataHome } = await importServerCode('server/src/host/db/data-home.ts');
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
  }).catch(async (error) => {
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
