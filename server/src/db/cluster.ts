// The embedded PostgreSQL: makes its data folder, starts it on a private socket without a TCP port, stops it cleanly.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { postgresBinaries } from '#/db/binaries.ts';

/** Where root keeps what PostgreSQL's own user must be able to reach. */
const ROOT_STATE = '/var/lib/packpark';

export interface Cluster {
  /** A `pg` connection string through the private socket, without a database name's default surprises. */
  connectionString(database: string): string;
  stop(): Promise<void>;
}

interface Owner {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root hands it to an unprivileged account. */
function databaseOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' });
    const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (uid.status === 0 && gid.status === 0)
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error('PostgreSQL cannot run as root and this machine has no user "nobody" to run it.');
}

function run(command: string, args: string[], owner: Owner | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(command)} failed: ${errors}`)),
    );
  });
}

async function untilReady(config: string, server: ChildProcess, log: () => string): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log()}`);
    const client = new pg.Client(config);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/**
 * Starts the embedded cluster, making it first where it does not exist.
 * @param folder the data folder; as root it must be one that other users can reach
 * @param options extra server settings, `fsync: 'off'` for tests only
 */
export async function startCluster(
  folder: string,
  options: Record<string, string> = {},
): Promise<Cluster> {
  const owner = databaseOwner();
  const binaries = await postgresBinaries(owner ? ROOT_STATE : null);
  const data = path.resolve(folder);
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (owner) chownSync(data, owner.uid, owner.gid);
  if (!existsSync(path.join(data, 'PG_VERSION'))) {
    await run(
      path.join(binaries, 'bin/initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      owner,
    );
  }
  // A socket's path may have about 100 characters, so it never lies under the data folder.
  const socket = await mkdtemp(path.join(os.tmpdir(), 'packpark-'));
  await chmod(socket, 0o700);
  if (owner) chownSync(socket, owner.uid, owner.gid);
  const settings = { listen_addresses: '', unix_socket_directories: socket, ...options };
  const server = spawn(
    path.join(binaries, 'bin/postgres'),
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  let tail = '';
  server.stderr.on('data', (chunk) => (tail = (tail + String(chunk)).slice(-2000)));
  const connectionString = (database: string) =>
    `postgresql://postgres@/${database}?host=${encodeURIComponent(socket)}`;
  await untilReady(connectionString('postgres'), server, () => tail);

  return {
    connectionString,
    async stop() {
      if (server.exitCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve));
        // SIGINT is PostgreSQL's fast shutdown: it rolls open transactions back and exits cleanly.
        server.kill('SIGINT');
        await ended;
      }
      await rm(socket, { recursive: true, force: true });
    },
  };
}

/** The process id of the server that owns a data folder, or null. */
export async function runningServer(folder: string): Promise<number | null> {
  const text = await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => null);
  return text === null ? null : Number(text.split('\n')[0]);
}
