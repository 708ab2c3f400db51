// Creates the embedded PostgreSQL's data folder, completely or not at all.
import { spawn } from 'node:child_process';
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from '#/host/db/cluster-files.ts';
import { clusterFolder, type Account, type DataHome } from '#/host/db/data-home.ts';
import { StartError } from '#/host/lib/start-error.ts';

const INITDB =
  '-U postgres -A trust -E UTF8 --no-sync --no-instructions --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8';

const run = (command: string, args: string[], account: Account | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...account,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.on('error', reject);
    // Standard error is complete only at 'close'.
    child.on('close', (code) =>
      code === 0
        ? resolve()
        : reject(new StartError(`PostgreSQL could not make its data folder: ${errors.trim()}`)),
    );
  });

/**
 * Creates the data folder under a temporary name and renames it, so that an interrupted start does not leave an incomplete folder.
 */
export async function makeCluster(binaries: string, home: DataHome): Promise<void> {
  const data = clusterFolder(home.database);
  if (existsSync(data) && readdirSync(data).length > 0)
    throw new StartError(
      `The folder ${data} has no readable file PG_VERSION, so it is not a complete database: restore a backup with --replace, or restore the file.`,
    );
  for (const name of readdirSync(home.database)) {
    const maker = Number(/^postgres\.new-(\d+)$/.exec(name)?.[1]);
    if (maker > 0 && !isAlive(maker))
      rmSync(path.join(home.database, name), { recursive: true, force: true });
  }
  const half = `${data}.new-${process.pid}`;
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { mode: 0o700 });
  if (home.account) chownSync(half, home.account.uid, home.account.gid);
  // Sorting, upper case and lower case follow Unicode's rules, which are the same on every system. Only the classification of
  // letters comes from the system.
  const letters = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  await run(
    path.join(binaries, 'bin/initdb'),
    ['-D', half, `--lc-ctype=${letters}`, ...INITDB.split(' ')],
    home.account,
  ).catch(async (error: unknown) => {
    // The incomplete folder is removed, because it may occupy the last free space of a full disk.
    await rm(half, { recursive: true, force: true });
    throw error;
  });
  await rename(half, data).catch(async (error: NodeJS.ErrnoException) => {
    await rm(half, { recursive: true, force: true });
    // If another start created the data folder first, that folder is used.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}
