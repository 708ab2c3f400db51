// Once per run of the journeys: a throw-away PostgreSQL with a seeded template database, and the seeded files beside it.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startCluster } from '#/host/db/cluster.ts';
import { dataHome } from '#/host/db/data-home.ts';
import { startHostProcess } from '../../scripts/lib/host-process.ts';

export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-e2e-'));
  await chmod(folder, 0o755);
  const cluster = await startCluster(dataHome(folder), {
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const admin = new pg.Client(cluster.connectionString('postgres'));
  await admin.connect();
  await admin.query('create database packpark_template');
  await admin.end();

  // The host itself migrates, seeds and publishes; each worker then copies what it left.
  const dataDir = path.join(folder, 'template');
  const host = await startHostProcess({
    DATABASE_URL: cluster.connectionString('packpark_template'),
    DATA_DIR: dataDir,
    DEMO: 'true',
    LOG_LEVEL: 'warn',
  });
  await host.stop();

  process.env.E2E_ADMIN_CONNECTION = cluster.connectionString('postgres');
  process.env.E2E_TEMPLATE_DATA = dataDir;
  process.env.E2E_FOLDER = folder;
  return async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
