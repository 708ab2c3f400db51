// Once per test run: one throw-away PostgreSQL, and in it a migrated template that each test file copies.
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startCluster } from '#/host/db/cluster.ts';
import { dataHome } from '#/host/db/data-home.ts';
import { migrate } from '#/host/db/migrate.ts';
import { build } from '../bin/build.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

declare module 'vitest' {
  interface ProvidedContext {
    adminConnection: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The commands and the functions are tested as they are built.
  if (!(await build('server', 'ignore'))) throw new Error('The server could not be built.');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'packpark-test-'));
  await chmod(folder, 0o755);
  const cluster = await startCluster(dataHome(folder), {
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
    },
  });
  const stop = async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const admin = new pg.Client(cluster.connectionString('postgres'));
    await admin.connect();
    await admin.query('create database packpark_template');
    await admin.end();
    const template = new pg.Client(cluster.connectionString('packpark_template'));
    await template.connect();
    await migrate(template, {
      bootstrap: path.join(ROOT, 'server/src/host/db/bootstrap'),
      migrations: path.join(ROOT, 'supabase/migrations'),
    });
    await template.end();
    project.provide('adminConnection', cluster.connectionString('postgres'));
  } catch (error) {
    // Vitest calls no teardown when the setup fails, and the cluster would outlive the run.
    await stop();
    throw error;
  }
  return stop;
}
