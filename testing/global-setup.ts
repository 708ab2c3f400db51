// Runs once before all tests. Prepares a data folder with a migrated database, which tests of commands copy, and a temporary
// PostgreSQL that has the same database as the template for the test files.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startCluster } from '#/host/db/cluster.ts';
import { DATABASE, openForHost } from '#/host/db/connect.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { migrateToNewest } from '#/host/db/migrate.ts';
import { readSettings } from '#/product/settings.ts';
import { build } from '../server/bin/build.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    adminConnection: string;
    /** A data folder with a migrated database and no running server. */
    migratedData: string;
  }
}

/** Creates the database as a first start would, without the host. */
async function makeDatabase(folder: string): Promise<void> {
  const settings = readSettings({ DATA_DIR: folder });
  const opened = await openForHost(settings, makeDataHome(folder));
  const client = new pg.Client(opened.connectionString);
  await client.connect();
  await migrateToNewest(client);
  await client.end();
  await opened.close();
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Commands and functions are tested in their built form.
  if (!(await build('server', 'ignore'))) throw new Error('The server could not be built.');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-test-'));
  const [migrated, template] = [path.join(folder, 'migrated'), path.join(folder, 'template')];
  for (const data of [folder, migrated, template]) {
    await mkdir(data, { recursive: true });
    await chmod(data, 0o755);
  }
  let stopCluster = () => Promise.resolve();
  const stop = async () => {
    await stopCluster();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeDatabase(migrated);
    // cp preserves the owners of files; Node's copy does not.
    execFileSync('cp', ['-a', `${migrated}/.`, template]);
    const cluster = await startCluster(makeDataHome(template), {
      settings: {
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        max_connections: '300',
      },
    });
    stopCluster = () => cluster.stop();
    const admin = new pg.Client(cluster.connectionString('postgres'));
    await admin.connect();
    await admin.query(`alter database ${DATABASE} rename to packpark_template`);
    await admin.end();
    project.provide('adminConnection', cluster.connectionString('postgres'));
    project.provide('migratedData', migrated);
  } catch (error) {
    // If the setup fails, Vitest runs no teardown, so the cluster must be stopped here.
    await stop();
    throw error;
  }
  return stop;
}
