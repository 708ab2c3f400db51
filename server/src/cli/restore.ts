// `packpark restore FILE`: an archive of `packpark backup` into an empty place, compared with itself before it counts.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { extract as createExtract } from 'tar-stream';
import {
  fileEntry,
  MANIFEST,
  parseManifest,
  SECRET,
  tableEntry,
  type Manifest,
} from '#/cli/archive/manifest.ts';
import {
  fillTable,
  readTable,
  setSequences,
  STABLE_TEXT,
  tableName,
} from '#/cli/archive/tables.ts';
import type { Command } from '#/cli/command.ts';
import { openForHost } from '#/host/db/connect.ts';
import { clusterFolder, dataHome, type DataHome } from '#/host/db/data-home.ts';
import { migrateTo, migrateToNewest } from '#/host/db/migrate.ts';
import { readSettings, type Settings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { createObjectStore } from '#/host/storage/bytes.ts';

/** Unpacks the archive; only our own entry names are accepted, so that none leads outside the folder. */
async function unpack(archive: string, folder: string): Promise<Manifest> {
  const known = /^(database\/[\w.]+\.copy|files\/[0-9a-f-]{36}|manifest\.json|jwt-secret)$/;
  for (const name of ['database', 'files']) await mkdir(path.join(folder, name));
  const extract = createExtract();
  const reading = pipeline(createReadStream(archive), createGunzip(), extract);
  reading.catch(() => undefined);
  try {
    for await (const entry of extract) {
      if (!known.test(entry.header.name)) throw new Error(`it holds "${entry.header.name}"`);
      await pipeline(
        entry,
        createWriteStream(path.join(folder, entry.header.name), { mode: 0o600 }),
      );
    }
    await reading;
  } catch (error) {
    const { message } = error as Error;
    throw new StartError(`${archive} is no whole archive of "packpark backup": ${message}.`, {
      cause: error,
    });
  }
  if (!existsSync(path.join(folder, MANIFEST)))
    throw new StartError(
      `${archive} is no whole archive of "packpark backup": its end is missing.`,
    );
  return parseManifest(await readFile(path.join(folder, MANIFEST), 'utf8'));
}

async function isEmpty(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.parks') is not null as there`,
  );
  return !rows[0]?.there;
}

/** One transaction: filled, compared, and only then committed. */
async function fillDatabase(client: pg.ClientBase, manifest: Manifest, folder: string) {
  await client.query(`begin; ${STABLE_TEXT}`);
  await client.query('set local session_replication_role = replica').catch((error: Error) => {
    throw new StartError(
      `This database user may not load a backup (${error.message}): restore as a superuser.`,
    );
  });
  await client.query(`truncate ${manifest.tables.map(tableName).join(', ')}`);
  for (const table of manifest.tables)
    await fillTable(client, table, path.join(folder, tableEntry(table)));
  await setSequences(client, manifest.sequences);
  for (const table of manifest.tables) {
    const { rows, sha256 } = await readTable(client, table, null);
    if (rows !== table.rows || sha256 !== table.sha256)
      throw new StartError(
        `${table.schema}.${table.name} differs from the backup after loading it: nothing was restored.`,
      );
  }
  await client.query('commit');
  await client.query('analyze');
}

async function restoreFiles(settings: Settings, manifest: Manifest, folder: string) {
  const store = await createObjectStore(settings);
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

/** Sets aside what is there, so that nothing is lost by a restore that was a mistake. */
async function setAside(home: DataHome): Promise<string> {
  const suffix = `.replaced-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  const parts = [
    clusterFolder(home.database),
    ...['storage', SECRET].map((name) => path.join(home.folder, name)),
  ];
  for (const old of parts) if (existsSync(old)) await rename(old, old + suffix);
  return suffix;
}

async function restore(settings: Settings, archive: string, replace: boolean): Promise<void> {
  const home = dataHome(settings.DATA_DIR);
  const folder = await mkdtemp(path.join(home.folder, 'restore-'));
  let opened: Awaited<ReturnType<typeof openForHost>> | null = null;
  let client: pg.Client | null = null;
  async function connect(): Promise<pg.Client> {
    opened = await openForHost(settings, home);
    const next = new pg.Client(opened.connectionString);
    await next.connect();
    return next;
  }
  async function disconnect(): Promise<void> {
    await client?.end();
    await opened?.close();
    client = opened = null;
  }
  try {
    const manifest = await unpack(archive, folder);
    client = await connect();
    if (!(await isEmpty(client))) {
      if (settings.DATABASE_URL)
        throw new StartError(
          'The database of DATABASE_URL is not empty: restore into an empty one.',
        );
      if (!replace)
        throw new StartError(
          `There is a database in ${home.database} already: say --replace to set it aside, or choose another DATA_DIR.`,
        );
      await disconnect();
      const suffix = await setAside(home);
      console.log(`The replaced data is beside it, under names that end in ${suffix}.`);
      client = await connect();
    }
    await migrateTo(client, manifest);
    await fillDatabase(client, manifest, folder);
    await restoreFiles(settings, manifest, folder);
    const secret = path.join(folder, SECRET);
    if (existsSync(secret) && settings.JWT_SECRET === undefined)
      await writeFile(path.join(home.folder, SECRET), await readFile(secret), { mode: 0o600 });
    await migrateToNewest(client);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Restored ${manifest.tables.length} tables, ${rows} rows and ${manifest.files.length} files as they were on ${manifest.made_at}; each was compared with the backup.`,
    );
  } finally {
    await disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

export const command: Command = {
  summary: 'bring database and files back from an archive',
  help: `
Usage: npx packpark restore FILE [--replace]

Loads an archive of "packpark backup" into an empty database and compares every table and file with
the archive before it counts. The host must not run on the data meanwhile.

Options:
  --replace   where there is data already: set it aside (nothing is deleted) and restore in its place`,
  options: { replace: { type: 'boolean' } },
  async run({ values, positionals: [file] }) {
    if (!file) throw new StartError('Say from where: npx packpark restore FILE.');
    const archive = path.resolve(file);
    if (!existsSync(archive)) throw new StartError(`There is no file ${archive}.`);
    await restore(readSettings(process.env), archive, values.replace === true);
  },
};
