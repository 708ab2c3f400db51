// Once per run: a temporary PostgreSQL with a seeded template database, and its seeded files.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startCluster } from '#/host/db/cluster.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { startHostProcess } from '../../testing/host-process.ts';
import { PHOTO_WIDTH } from '../../shared/photo-sizes.ts';

/**
 * Creates the thumbnails of the demo's photos. Otherwise each site would create them while its first pages wait, and two pages at a
 * time would exceed the limit per IP address.
 */
async function makeCopies(url: string, connectionString: string): Promise<void> {
  const database = new pg.Client(connectionString);
  await database.connect();
  const { rows } = await database.query<{ address: string }>(
    `select bucket_id || '/' || name as address from storage.objects
     where bucket_id in ('parks', 'users') and name like '%/primary/%'`,
  );
  await database.end();
  for (const { address } of rows)
    await Promise.all(
      [PHOTO_WIDTH.thumb, PHOTO_WIDTH.card].map((width) =>
        fetch(`${url}/storage/v1/render/image/public/${address}?width=${width}`, {
          headers: { accept: 'image/webp' },
        }),
      ),
    );
}

export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-e2e-'));
  await chmod(folder, 0o755);
  const cluster = await startCluster(makeDataHome(folder), {
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const admin = new pg.Client(cluster.connectionString('postgres'));
  await admin.connect();
  await admin.query('create database packpark_template');
  await admin.end();

  // The host migrates, seeds and publishes; each worker then copies the result.
  const dataDir = path.join(folder, 'template');
  const host = await startHostProcess({
    DATABASE_URL: cluster.connectionString('packpark_template'),
    DATA_DIR: dataDir,
    DEMO: 'true',
    LOG_LEVEL: 'warn',
  });
  await makeCopies(host.url, cluster.connectionString('packpark_template'));
  await host.stop();

  process.env.E2E_ADMIN_CONNECTION = cluster.connectionString('postgres');
  process.env.E2E_TEMPLATE_DATA = dataDir;
  process.env.E2E_FOLDER = folder;
  return async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
