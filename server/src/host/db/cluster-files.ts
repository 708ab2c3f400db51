// Reads a PostgreSQL data folder: its version, its server process and its socket.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Account } from '#/host/db/data-home.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** The whole path of a socket is limited to 103 characters on macOS and 107 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103 - '/.s.PGSQL.5432'.length;

const linesOf = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** The major version of the data, such as '18'; null without a database. */
export const dataVersion = (data: string): string | null =>
  linesOf(path.join(data, 'PG_VERSION'))[0]?.trim() ?? null;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns true if a process is the server of this data folder. Process IDs are reused, so a running process alone proves nothing.
 */
function serves(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    // The working directory of a PostgreSQL server is its data folder.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === data;
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(
      data,
    );
  } catch {
    return false;
  }
}

/** Returns the running server of a data folder, or null. */
export function runningServer(data: string): { pid: number; socket: string } | null {
  const [pid, , , , socket = ''] = linesOf(path.join(data, 'postmaster.pid'));
  const number = Number(pid);
  return number > 0 && serves(number, data) ? { pid: number, socket } : null;
}

/**
 * Removes the postmaster.pid of a killed server if its process ID now belongs to another program, because PostgreSQL would not
 * start. PostgreSQL itself removes all other stale files.
 */
export function removeStalePidFile(data: string): void {
  const file = path.join(data, 'postmaster.pid');
  const pid = Number(linesOf(file)[0]);
  if (process.platform !== 'linux' || !(pid > 0)) return;
  const program = linesOf(`/proc/${pid}/comm`)[0];
  if (program && program !== 'postgres') rmSync(file, { force: true });
}

/**
 * Creates the folder for the socket, which only the database's account (and root) may enter. It is next to the data. If that path
 * is too long for a socket, it is below the system's temporary folder, under a stable name.
 */
export function socketFolder(database: string, account: Account | null): string {
  const beside = path.join(database, 'run');
  const folder =
    Buffer.byteLength(beside) <= MAX_SOCKET_PATH_BYTES
      ? beside
      : path.join(
          os.tmpdir(),
          `packpark-${createHash('sha256').update(database).digest('hex').slice(0, 16)}`,
        );
  const owner = account?.uid ?? process.getuid?.();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (account && found.uid === 0 && found.isDirectory())
    chownSync(folder, account.uid, account.gid);
  else if (!found.isDirectory() || (owner !== undefined && found.uid !== owner))
    throw new StartError(
      `The folder for the database's socket, ${folder}, belongs to somebody else.`,
    );
  return folder;
}
