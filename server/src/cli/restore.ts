// `packpark restore FILE`: restores an archive of `packpark backup`, and compares the result with the archive before it is used.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { extract as createExtract } from 'tar-stream';
import {
  fileEntry,
  MANIFEST,
  parseManifest,
  tableEntry,
  type Manifest,
} from '#/cli/archive/manifest.ts';
import { bucketOf, IN_BUCKET, newestArchive } from '#/product/backup-places.ts';
import { createScratch, RESTORE } from '#/cli/archive/scratch.ts';
import {
  fillTable,
  readTable,
  setSequences,
  STABLE_TEXT,
  tableName,
  withoutTriggers,
} from '#/cli/archive/tables.ts';
import type { Command } from '#/cli/command.ts';
import { dataVersion, runningServer } from '#/host/db/cluster-files.ts';
import { workOn } from '#/cli/with-database.ts';
import { openForHost } from '#/host/db/connect.ts';
import { clusterFolder, makeDataHome, restoreMark, type DataHome } from '#/host/db/data-home.ts';
import { rejectRunningHost } from '#/host/db/listener.ts';
import { checkSiteRole } from '#/host/db/site-role.ts';
import { FOLDERS, migrate, migrateToNewest } from '#/host/db/migrate.ts';
import { freeBytes, isDiskFull } from '#/host/lib/disk.ts';
import { JWT_SECRET } from '#/host/lib/secret.ts';
import { clearFingerprint } from '#/host/db/stored-secret.ts';
import { SECRETS } from '#/product/secrets.ts';
import { readSettings, type Settings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { openBlobStore } from '#/host/storage/open-stores.ts';

/**
 * PostgreSQL fails in many ways if the disk is nearly full. With less free space than this, any failure is reported as a full disk.
 */
const LITTLE_ROOM = 32 * 2 ** 20;

/**
 * Database text rarely compresses to less than a tenth. An archive that expands by more than this factor is rejected, because it
 * could fill the disk.
 */
const MAX_EXPANSION = 100;
const SMALLEST_LIMIT = 64 * 2 ** 20;

/** Unpacks the archive. Unknown entry names are rejected, so that no entry can be written outside the folder. */
async function unpack(archive: string, folder: string): Promise<Manifest> {
  const known =
    /^(database\/[\w.]+\.copy|files\/[0-9a-f-]{36}|manifest\.json|jwt-secret|push-key)$/;
  for (const name of ['database', 'files']) await mkdir(path.join(folder, name));
  const extract = createExtract();
  const maxBytes = SMALLEST_LIMIT + MAX_EXPANSION * (await stat(archive)).size;
  let unpacked = 0;
  const reading = pipeline(createReadStream(archive), createGunzip(), extract);
  reading.catch(() => undefined);
  try {
    for await (const entry of extract) {
      if (!known.test(entry.header.name)) throw new Error(`it holds "${entry.header.name}"`);
      unpacked += entry.header.size ?? 0;
      if (unpacked > maxBytes) throw new Error('it unpacks to far more than a backup does');
      await pipeline(
        entry,
        createWriteStream(path.join(folder, entry.header.name), { mode: 0o600 }),
      );
    }
    await reading;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const { message } = error as Error;
    throw new StartError(`${archive} is not a complete archive of "packpark backup": ${message}.`, {
      cause: error,
    });
  }
  if (!existsSync(path.join(folder, MANIFEST)))
    throw new StartError(
      `${archive} is not a complete archive of "packpark backup": its end is missing.`,
    );
  return parseManifest(await readFile(path.join(folder, MANIFEST), 'utf8'));
}

/**
 * Checks that a database is empty. A schema without rows is accepted, because a failed restore leaves it behind.
 * @throws StartError if a host uses the database or it contains data
 */
async function checkEmpty(client: pg.ClientBase): Promise<void> {
  await rejectRunningHost(client);
  const { rows } = await client.query<{ parks: boolean; users: boolean }>(
    `select to_regclass('public.parks') is not null as parks, to_regclass('auth.users') is not null as users`,
  );
  const [{ parks, users } = { parks: false, users: false }] = rows;
  if (!parks) return;
  const filled = 'select from public.parks union all select from auth.users';
  if (!users || (await client.query(filled)).rowCount !== 0)
    throw new StartError('The database of DATABASE_URL is not empty: restore into an empty one.');
}

/** Loads the archive into a database that has the archive's schema, and compares the two. Call it in a transaction. */
async function fillDatabase(client: pg.ClientBase, manifest: Manifest, folder: string) {
  await client.query(STABLE_TEXT);
  await withoutTriggers(client, manifest.tables, async () => {
    await client.query(`truncate ${manifest.tables.map(tableName).join(', ')}`);
    for (const table of manifest.tables)
      await fillTable(client, table, path.join(folder, tableEntry(table)));
  });
  await setSequences(client, manifest.sequences);
  for (const table of manifest.tables) {
    const { rows, sha256 } = await readTable(client, table, null);
    if (rows !== table.rows || sha256 !== table.sha256)
      throw new StartError(
        `${table.schema}.${table.name} differs from the backup after loading it: nothing was restored.`,
      );
  }
}

async function restoreFiles(settings: Settings, manifest: Manifest, folder: string) {
  const store = await openBlobStore(settings);
  for (const { version, sha256 } of manifest.files) {
    const file = path.join(folder, fileEntry(version));
    const found = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    if (found !== sha256)
      throw new StartError(`The stored file ${version} differs from the backup.`);
    await store.put(version, { file });
  }
}

/** Restores an archive into an empty database and an empty store. */
async function load(settings: Settings, home: DataHome, manifest: Manifest, folder: string) {
  await workOn(await openForHost(settings, home), async (client) => {
    await checkEmpty(client);
    // Each migration is committed, because before PostgreSQL 17 a transaction could not use an enum value that it had added.
    await migrate(client, FOLDERS, manifest);
    await client.query('begin');
    await fillDatabase(client, manifest, folder);
    await restoreFiles(settings, manifest, folder);
    await client.query('commit; analyze');
    await migrateToNewest(client);
    const hasSecret =
      settings.JWT_SECRET !== undefined || existsSync(path.join(folder, JWT_SECRET));
    if (!hasSecret && (await clearFingerprint(client)))
      console.error(
        'The archive has no secret: the next start makes one. Everybody has to log in again; remove second factors with "npx packpark accept-secret".',
      );
    // The archive cannot contain the end time of the backup that writes it, so the restore records one.
    await client.query(`select private.record_job('backup', interval '1 day')`);
    await client.query(
      `update private.jobs set done_at = $1::timestamptz, due_at = $1::timestamptz + every where type = 'backup'`,
      [manifest.created_at],
    );
  });
  for (const [name, setting] of SECRETS) {
    const secret = path.join(folder, name);
    if (existsSync(secret) && settings[setting] === undefined)
      await writeFile(path.join(home.folder, name), await readFile(secret), { mode: 0o600 });
  }
}

const partsOf = (home: DataHome) => [
  clusterFolder(home.database),
  ...['storage', ...SECRETS.map(([name]) => name)].map((name) => path.join(home.folder, name)),
];

/** Moves the restored data to its final place. Existing data is renamed, so that a mistake loses nothing. */
async function moveInto(home: DataHome, restored: DataHome): Promise<void> {
  if (runningServer(clusterFolder(home.database)))
    throw new StartError(`Packpark was started on the data in ${home.folder} meanwhile: stop it.`);
  const suffix = `.replaced-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  const old = partsOf(home).filter((part) => existsSync(part));
  // A mark file prevents the host from starting between two of the renames. The host would find incomplete data, or no data and
  // create an empty site.
  await writeFile(restoreMark(home), suffix);
  for (const part of old) await rename(part, part + suffix);
  const places = partsOf(home);
  for (const [index, part] of partsOf(restored).entries())
    if (existsSync(part)) await rename(part, places[index] ?? '');
  await rm(restoreMark(home));
  if (old.length > 0) console.log(`The replaced data is kept under names that end in ${suffix}.`);
}

/** @throws StartError if a host uses the data, or if there is a database and `replace` is false */
async function checkPlace(settings: Settings, home: DataHome, replace: boolean): Promise<void> {
  const data = clusterFolder(home.database);
  // Opening the database fails if a host uses it. If a killed host left a server running, opening also stops that server.
  if (runningServer(data)) await (await openForHost(settings, home)).close();
  if (dataVersion(data) !== null && !replace)
    throw new StartError(
      `There is a database in ${home.database} already: use --replace to rename it, or choose another DATA_DIR.`,
    );
}

/** Creates a temporary data folder inside another data folder. Its content is moved to the outer folder when it is complete. */
async function homeWithin(home: DataHome) {
  const outer = await createScratch(home.folder, RESTORE);
  const inner = home.database === home.folder ? outer : await createScratch(home.database, RESTORE);
  // PostgreSQL's account must be able to enter the folder; the files inside have their own permissions.
  if (home.account) await chmod(inner.folder, 0o711);
  return {
    home: { ...home, folder: outer.folder, database: inner.folder },
    async remove() {
      await outer.remove();
      await inner.remove();
    },
  };
}

/** A trial restore uses the built-in server, so the privileges that a restore into DATABASE_URL needs are checked separately. */
async function checkTarget(settings: Settings): Promise<void> {
  if (settings.DATABASE_URL) await workOn(await openForHost(settings, null), checkSiteRole);
}

/** Settings of a trial restore, which uses neither the site's database nor its bucket. */
const OWN_STORES = { DATABASE_URL: undefined, S3_BUCKET: undefined };

/** Downloads the archive if it is in the bucket. */
async function fetched(settings: Settings, archive: string, folder: string): Promise<string> {
  if (!archive.startsWith(IN_BUCKET)) return archive;
  const name = archive.slice(IN_BUCKET.length);
  const bucket = await bucketOf(settings);
  if (!(await bucket.names()).includes(name))
    throw new StartError(`There is no backup ${name} in the bucket "${settings.S3_BUCKET}".`);
  const file = path.join(folder, name);
  await bucket.get(name, file);
  return file;
}

interface Options {
  archive: string;
  /** True to rename existing data and replace it. */
  replace: boolean;
  /** True to restore into a temporary folder that is removed afterwards. */
  trial: boolean;
}

async function restore(settings: Settings, { archive, replace, trial }: Options): Promise<void> {
  const home = makeDataHome(settings.DATA_DIR);
  const inPlace = settings.DATABASE_URL !== undefined && !trial;
  if (!inPlace && !trial) await checkPlace(settings, home, replace);
  if (trial) await checkTarget(settings);
  const fresh = await homeWithin(home);
  // A trial uses only the temporary folder, because all other data belongs to the running site.
  const aside = { ...settings, DATA_DIR: fresh.home.folder, ...(trial && OWN_STORES) };
  try {
    const folder = path.join(fresh.home.folder, 'archive');
    await mkdir(folder, { mode: 0o700 });
    const manifest = await unpack(await fetched(settings, archive, fresh.home.folder), folder);
    if (inPlace) await load(settings, home, manifest, folder);
    else await load(aside, fresh.home, manifest, folder);
    if (!inPlace && !trial) await moveInto(home, fresh.home);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `${trial ? `${archive} can be restored. Restored temporarily:` : 'Restored'} ${manifest.tables.length} tables, ${rows} rows and ${manifest.files.length} files as they were on ${manifest.created_at}; each was compared with the backup.`,
    );
  } catch (error) {
    const room = Math.min(await freeBytes(home.folder), await freeBytes(home.database));
    if (!isDiskFull(error) && room > LITTLE_ROOM) throw error;
    throw new StartError(
      `There is no room left in ${home.database} to restore into (the archive is not the cause): free space for its files and its database. Nothing was changed.`,
      { cause: error },
    );
  } finally {
    await fresh.remove();
  }
}

export const command: Command = {
  summary: 'restore the database and all files from an archive',
  help: `
Usage: npx packpark restore FILE [--replace]
       npx packpark restore --try [FILE]

Loads an archive of "packpark backup" into a new database, and uses that database after comparing every
table and file with the archive. Stop the host first. FILE may be in the bucket of S3_BUCKET, such as
s3:packpark-20261231-030000.tar.gz.

Options:
  --try       restore the newest backup, or FILE, into a temporary folder while the host runs, report
              whether it works, and remove the folder
  --replace   rename the existing data (nothing is deleted) and restore in its place`,
  options: { replace: { type: 'boolean' }, try: { type: 'boolean' } },
  async run({ values, positionals: [file] }) {
    const settings = readSettings(process.env);
    const trial = values.try === true;
    if (!file && !trial) throw new StartError('Name the archive: npx packpark restore FILE.');
    const archive = !file
      ? await newestArchive(settings, makeDataHome(settings.DATA_DIR).folder)
      : file.startsWith(IN_BUCKET)
        ? file
        : path.resolve(file);
    if (!archive.startsWith(IN_BUCKET) && !existsSync(archive))
      throw new StartError(`There is no file ${archive}.`);
    await restore(settings, { archive, replace: values.replace === true, trial });
  },
};
