// Determines where the data is stored and which account runs PostgreSQL. PostgreSQL does not run as root, and other accounts cannot
// enter root's home.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { runningServer } from '#/host/db/cluster-files.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** The folder for databases of hosts that root runs, because PostgreSQL's account must be able to access them. */
const ROOT_STATE = '/var/lib/packpark';

export interface Account {
  uid: number;
  gid: number;
}

export interface DataHome {
  /** The host's folder: the secret and the stored files. */
  folder: string;
  /** The folder of the database's data and socket. Differs from `folder` only if PostgreSQL's account cannot enter that. */
  database: string;
  /** The account that PostgreSQL runs as, or null for this process's account. */
  account: Account | null;
  /** The folder to which the binaries are copied if PostgreSQL's account cannot access the installed ones. */
  stage: string;
}

/** Returns true if an account can enter a folder. The operating system decides, so modes, groups and ACLs are respected. */
export function canEnter(folder: string, account: Account): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/' });
  return status === 0;
}

function unprivilegedAccount(): Account {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => {
      const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
      return status === 0 ? Number(stdout) : 0;
    });
    if (uid && gid) return { uid, gid };
  }
  throw new StartError(
    'PostgreSQL does not run as root, and this machine has no user "nobody" to run it as: start Packpark as an ordinary user.',
  );
}

/** Returns false if the folder exists, possibly because another process has just created it. */
function createFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Creates the parents one by one, because in file systems such as /proc Node's recursive mkdir never returns. */
function makeParents(folder: string): void {
  const parent = path.dirname(folder);
  if (existsSync(parent)) return;
  makeParents(parent);
  createFolder(parent);
}

/** Creates a folder with exactly this mode, regardless of the umask. An existing folder keeps its mode. */
export function makeFolder(folder: string, mode: number): void {
  try {
    makeParents(folder);
    if (createFolder(folder)) chmodSync(folder, mode);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another one with DATA_DIR, or give this user the right to it.`,
      { cause: error },
    );
  }
}

export const clusterFolder = (folder: string): string => path.join(folder, 'postgres');

/** @throws Error EACCES if this account may not enter the folder, which is not reported as a missing database */
const hasDatabase = (folder: string): boolean =>
  statSync(clusterFolder(folder), { throwIfNoEntry: false }) !== undefined;

/** Returns the account that owns the existing database. It remains the owner even if an account "postgres" is added later. */
function ownerOf(folder: string): Account | null {
  if (!hasDatabase(folder)) return null;
  const { uid, gid } = statSync(clusterFolder(folder));
  return uid === 0 ? null : { uid, gid };
}

/**
 * Returns the path of a database in ROOT_STATE. The name is derived from the data folder, so that two checkouts never share a
 * database.
 */
const rootPlace = (folder: string): string =>
  path.join(ROOT_STATE, createHash('sha256').update(folder).digest('hex').slice(0, 12));

/** A file that names the data folder to which a database in ROOT_STATE belongs. */
const OWNER = 'data-folder';

/** Lists databases in ROOT_STATE that are not running and whose data folder was deleted. */
export function orphanedDatabases(): { database: string; folder: string }[] {
  if (process.getuid?.() !== 0 || !existsSync(ROOT_STATE)) return [];
  return readdirSync(ROOT_STATE)
    .map((name) => path.join(ROOT_STATE, name))
    .filter((database) => existsSync(path.join(database, OWNER)))
    .map((database) => ({ database, folder: readFileSync(path.join(database, OWNER), 'utf8') }))
    .filter(
      ({ database, folder }) => !existsSync(folder) && !runningServer(clusterFolder(database)),
    );
}

/**
 * Returns the folders if the host runs as root: the data folder itself if PostgreSQL's account can enter it, otherwise a separate
 * folder for the database.
 */
function rootHome(folder: string): DataHome {
  const elsewhere = rootPlace(folder);
  const account = ownerOf(folder) ?? ownerOf(elsewhere) ?? unprivilegedAccount();
  const reachable = canEnter(folder, account);
  if (hasDatabase(folder) && !reachable)
    throw new StartError(
      `The database in ${folder} cannot be reached by the account that runs PostgreSQL: make the folders above it accessible with chmod o+x, or move it to ${elsewhere}.`,
    );
  if (reachable && !hasDatabase(elsewhere))
    return { folder, database: folder, account, stage: ROOT_STATE };
  makeFolder(ROOT_STATE, 0o755);
  makeFolder(elsewhere, 0o755);
  // Each folder contains a file that names the other, because moving the data folder does not move the database.
  writeFileSync(path.join(elsewhere, OWNER), folder);
  writeFileSync(
    path.join(folder, 'where-the-database-is.txt'),
    `The database of this data folder lies in ${elsewhere}, because PostgreSQL's account cannot enter this one.\nWhoever deletes this folder deletes that one, too: "npx packpark doctor --remove-orphans" does so later.\n`,
  );
  return { folder, database: realpathSync(elsewhere), account, stage: ROOT_STATE };
}

/** A file in the data folder while a restore moves data. It contains the suffix of the renamed earlier folders. */
const RESTORE_MARK = 'restore-unfinished';

export const restoreMark = ({ folder }: DataHome): string => path.join(folder, RESTORE_MARK);

/** @throws StartError if a restore was killed while it replaced the earlier data */
export function rejectInterruptedRestore(home: DataHome): void {
  const mark = restoreMark(home);
  if (!existsSync(mark)) return;
  const suffix = readFileSync(mark, 'utf8').trim();
  throw new StartError(
    `A restore into ${home.folder} was interrupted while it moved its data there: run it again with --replace, or rename what ends in ${suffix} back to its name without that, and remove ${mark}.`,
  );
}

/** Returns the folders of a DATA_DIR, or null if it does not exist. Creates nothing. */
export const existingHome = (dataDir: string): DataHome | null =>
  existsSync(path.resolve(ROOT, dataDir)) ? makeDataHome(dataDir) : null;

/**
 * Returns the folders of a DATA_DIR that contains a database. Creates nothing.
 * @throws StartError if the database is missing
 */
export function findDataHome(dataDir: string): DataHome {
  const wanted = path.resolve(ROOT, dataDir);
  const folder = existsSync(wanted) ? realpathSync(wanted) : wanted;
  const elsewhere = process.getuid?.() === 0 ? [rootPlace(folder)] : [];
  if (![folder, ...elsewhere].some(hasDatabase))
    throw new StartError(
      `There is no database in ${folder} (DATA_DIR is "${dataDir}"): give this command the settings that the host runs with (docs/settings.md says which file is read), or make a database with "npx packpark start".`,
    );
  return makeDataHome(dataDir);
}

/**
 * Returns the folders of a DATA_DIR and creates them if they are missing. A relative path is inside the checkout.
 * @throws StartError if they cannot be created
 */
export function makeDataHome(dataDir: string): DataHome {
  const wanted = path.resolve(ROOT, dataDir);
  const isRoot = process.getuid?.() === 0;
  makeFolder(wanted, isRoot ? 0o711 : 0o700);
  const folder = realpathSync(wanted);
  if (isRoot) return rootHome(folder);
  if (hasDatabase(folder) && statSync(clusterFolder(folder)).uid !== process.getuid?.())
    throw new StartError(
      `The database in ${folder} belongs to another user: start Packpark as that user, or choose another DATA_DIR.`,
    );
  return { folder, database: folder, account: null, stage: path.join(folder, 'binaries') };
}
