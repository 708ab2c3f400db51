// `packpark backup`: writes a snapshot of the database, the stored files and the secrets into one archive.
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { fileEntry, MANIFEST, tableEntry, type Manifest } from '#/cli/archive/manifest.ts';
import { createScratch } from '#/cli/archive/scratch.ts';
import { bucketOf, datedIn, IN_BUCKET } from '#/product/backup-places.ts';
import { listTables, readSequences, readTable, STABLE_TEXT } from '#/cli/archive/tables.ts';
import { createArchive, type Archive } from '#/cli/archive/write.ts';
import type { Command } from '#/cli/command.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { withClient } from '#/host/db/connect.ts';
import { appliedMigrations } from '#/host/db/migrate.ts';
import { makeDataHome } from '#/host/db/data-home.ts';
import { JobError } from '#/host/jobs/job-queue.ts';
import { isDiskFull } from '#/host/lib/disk.ts';
import { SECRETS } from '#/product/secrets.ts';
import { readSettings, type Settings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { isVersion, type BlobStore } from '#/host/storage/blob-store.ts';
import { openBlobStore } from '#/host/storage/open-stores.ts';

/** Adds the bytes of every stored object to the archive. Returns the number of objects whose bytes no longer exist. */
async function addObjects(client: pg.ClientBase, store: BlobStore, archive: Archive) {
  const { rows } = await client.query<{ version: string | null }>(
    'select distinct version from storage.objects order by version',
  );
  const files: Manifest['files'] = [];
  let missing = 0;
  for (const { version } of rows) {
    const found = isVersion(version) ? await store.open(version) : null;
    if (!isVersion(version) || found === null) {
      missing += 1;
      continue;
    }
    const bytes = new Uint8Array(await new Response(found).arrayBuffer());
    await archive.addBytes(fileEntry(version), bytes);
    files.push({ version, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return { files, missing };
}

async function fillArchive(
  client: pg.ClientBase,
  settings: Settings,
  archive: Archive,
  scratch: string,
): Promise<{ manifest: Manifest; missing: number }> {
  await client.query(`begin isolation level repeatable read read only; ${STABLE_TEXT}`);
  const tables: Manifest['tables'] = [];
  for (const table of await listTables(client)) {
    const file = path.join(scratch, 'table');
    tables.push({ ...table, ...(await readTable(client, table, file)) });
    await archive.addFile(tableEntry(table), file);
  }
  const home = makeDataHome(settings.DATA_DIR).folder;
  const store = await openBlobStore(settings);
  const { files, missing } = await addObjects(client, store, archive);
  for (const [name, setting] of SECRETS) {
    const secret = path.join(home, name);
    if (settings[setting] === undefined && existsSync(secret))
      await archive.addBytes(name, await readFile(secret));
  }
  const manifest: Manifest = {
    format: 1,
    created_at: new Date().toISOString(),
    ...(await appliedMigrations(client)),
    tables,
    sequences: await readSequences(client),
    files,
  };
  await client.query('commit');
  await archive.addBytes(MANIFEST, Buffer.from(JSON.stringify(manifest)));
  await archive.finish();
  return { manifest, missing };
}

async function writeBackup(client: pg.ClientBase, settings: Settings, target: string) {
  const scratch = await createScratch(path.dirname(target), '.packpark-backup-');
  try {
    const half = path.join(scratch.folder, 'archive');
    const archive = createArchive(half);
    const content = await fillArchive(client, settings, archive, scratch.folder);
    const handle = await open(half, 'r');
    await handle.sync();
    await handle.close();
    await rename(half, target);
    return content;
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new StartError(
      `There is no room left in ${path.dirname(target)} for the backup. The incomplete archive was removed.`,
      { cause: error },
    );
  } finally {
    await scratch.remove();
  }
}

async function removeOlder(folder: string, keep: number): Promise<void> {
  for (const name of (await datedIn(folder)).slice(0, -keep)) {
    await rm(path.join(folder, name));
    console.log(`Removed ${path.join(folder, name)}.`);
  }
}

async function copyToBucket(settings: Settings, archive: string, keep: number | null) {
  const bucket = await bucketOf(settings);
  const name = path.basename(archive);
  await bucket.put(name, archive);
  console.log(`Copied it to the bucket "${settings.S3_BUCKET}": ${IN_BUCKET}${name}.`);
  const old = keep === null ? [] : (await bucket.names()).slice(0, -keep);
  if (old.length > 0) await bucket.remove(old);
}

/**
 * Returns the archive's path. If no file name is given, the name contains the date, and `folder` is the folder in which old
 * archives are removed.
 */
async function findTarget(named: string | undefined, settings: Settings, overwrite: boolean) {
  const folder = named
    ? path.resolve(named)
    : path.join(makeDataHome(settings.DATA_DIR).folder, 'backups');
  if (!named) await mkdir(folder, { recursive: true, mode: 0o700 });
  if (existsSync(folder) && statSync(folder).isDirectory()) {
    const time = new Date().toISOString().replace(/\D/g, '');
    return {
      target: path.join(folder, `packpark-${time.slice(0, 8)}-${time.slice(8, 14)}.tar.gz`),
      folder,
    };
  }
  if (existsSync(folder) && !overwrite)
    throw new StartError(
      `${folder} exists already: name a folder instead, in which each backup gets a name with its date (--keep 14 removes all but the newest 14), or replace it with --overwrite.`,
    );
  return { target: folder, folder: null };
}

function readKeep(value: unknown): number | null {
  if (value === undefined) return null;
  if (!/^[1-9]\d{0,4}$/.test(String(value)))
    throw new StartError('--keep needs the number of archives to keep, such as --keep 14.');
  return Number(value);
}

interface Options {
  /** The archive's file or folder; by default the backup folder. */
  named?: string | undefined;
  /** Number of archives that stay in the folder; null for all. */
  keep: number | null;
  overwrite?: boolean;
}

/**
 * Writes an archive, prints its path, and removes old archives.
 * @throws StartError
 */
async function backUp(
  client: pg.ClientBase,
  settings: Settings,
  { named, keep, overwrite = false }: Options,
): Promise<void> {
  const { target, folder } = await findTarget(named, settings, overwrite);
  if (keep !== null && folder === null)
    throw new StartError(`--keep needs a folder, and ${target} is a file.`);
  const { manifest, missing } = await writeBackup(client, settings, target);
  await client.query(`select private.record_job('backup', interval '1 day')`);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `Backed up ${manifest.tables.length} tables, ${rows} rows and ${manifest.files.length} files to ${target}.`,
  );
  if (missing > 0)
    console.error(`${missing} stored files were already missing and are not in the archive.`);
  if (keep !== null && folder !== null) await removeOlder(folder, keep);
  if (settings.BACKUP_S3 && named === undefined) await copyToBucket(settings, target, keep);
}

export const backUpAsJob = (settings: Settings, connectionString: string): Promise<void> =>
  withClient(connectionString, (client) =>
    backUp(client, settings, { keep: settings.BACKUP_KEEP ?? null }),
  ).catch((error: unknown) => {
    throw error instanceof StartError ? new JobError(error.message, { cause: error }) : error;
  });

export const command: Command = {
  summary: 'back up the database and all files into one archive',
  help: `
Usage: npx packpark backup [FOLDER | FILE] [options]

Writes one archive (a .tar.gz that only you can read) with a consistent copy of the database, the stored
files, and the secrets that sign sessions and pushes. A running host is not interrupted.
By default, the archive is written to the folder "backups" of the data folder. In a folder, its name contains
the time (UTC), such as packpark-20261231-030000.tar.gz. With BACKUP_S3=true it is also copied to the bucket
of S3_BUCKET. "restore --try" checks whether the newest archive can be restored.

Options:
  --keep N      in a folder: delete all but the newest N archives afterwards
  --overwrite   replace FILE if it exists`,
  options: { keep: { type: 'string' }, overwrite: { type: 'boolean' } },
  async run({ values, positionals: [named] }) {
    const settings = readSettings(process.env);
    const keep = readKeep(values.keep);
    const overwrite = values.overwrite === true;
    await withDatabase(settings, (client) => backUp(client, settings, { named, keep, overwrite }));
  },
};
