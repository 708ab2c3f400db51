// `packpark backup FILE`: the whole database at one moment, the stored files it names, and the secret, in one archive.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { pack as createPack, type Pack } from 'tar-stream';
import { fileEntry, MANIFEST, SECRET, tableEntry, type Manifest } from '#/cli/archive/manifest.ts';
import { listTables, readSequences, readTable, STABLE_TEXT } from '#/cli/archive/tables.ts';
import type { Command } from '#/cli/command.ts';
import { withDatabase } from '#/host/db/connect.ts';
import { dataHome } from '#/host/db/data-home.ts';
import { readSettings, type Settings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';
import { isVersion, type ByteStore } from '#/host/storage/byte-store.ts';
import { createObjectStore } from '#/host/storage/bytes.ts';

function addBytes(pack: Pack, name: string, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) =>
    pack.entry({ name, mode: 0o600 }, Buffer.from(bytes), (error) =>
      error ? reject(error) : resolve(),
    ),
  );
}

async function addFile(pack: Pack, name: string, file: string): Promise<void> {
  const { size } = await stat(file);
  await pipeline(createReadStream(file), pack.entry({ name, size, mode: 0o600 }));
}

async function versionsOf(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ version: string }>(
    `select version from ${table} order by version`,
  );
  return rows.map((row) => row.version);
}

/** Adds the bytes of every object in the snapshot; tells which of them are gone already. */
async function addObjects(client: pg.ClientBase, store: ByteStore, pack: Pack) {
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
    await addBytes(pack, fileEntry(version), bytes);
    files.push({ version, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return { files, missing };
}

/** Everything of one snapshot, entry by entry; the manifest comes last. */
async function fillArchive(
  client: pg.ClientBase,
  settings: Settings,
  pack: Pack,
  scratch: string,
): Promise<{ manifest: Manifest; missing: number }> {
  await client.query(`begin isolation level repeatable read read only; ${STABLE_TEXT}`);
  const tables: Manifest['tables'] = [];
  for (const table of await listTables(client)) {
    const file = path.join(scratch, 'table');
    tables.push({ ...table, ...(await readTable(client, table, file)) });
    await addFile(pack, tableEntry(table), file);
  }
  const home = dataHome(settings.DATA_DIR).folder;
  const store = await createObjectStore(settings);
  const { files, missing } = await addObjects(client, store, pack);
  const secret = path.join(home, SECRET);
  if (settings.JWT_SECRET === undefined && existsSync(secret))
    await addBytes(pack, SECRET, await readFile(secret));
  const manifest: Manifest = {
    format: 1,
    made_at: new Date().toISOString(),
    bootstrap: await versionsOf(client, 'packpark_host.bootstrap'),
    migrations: await versionsOf(client, 'supabase_migrations.schema_migrations'),
    tables,
    sequences: await readSequences(client),
    files,
  };
  await client.query('commit');
  await addBytes(pack, MANIFEST, JSON.stringify(manifest));
  pack.finalize();
  return { manifest, missing };
}

async function backup(client: pg.ClientBase, settings: Settings, target: string): Promise<void> {
  const scratch = await mkdtemp(path.join(path.dirname(target), '.packpark-backup-')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(`${path.dirname(target)} cannot be written (${error.code}).`, {
        cause: error,
      });
    },
  );
  try {
    const half = path.join(scratch, 'archive');
    const pack = createPack();
    // It holds everybody's data and the secret: nobody else may read it.
    const written = pipeline(pack, createGzip(), createWriteStream(half, { mode: 0o600 }));
    const [{ manifest, missing }] = await Promise.all([
      fillArchive(client, settings, pack, scratch),
      written,
    ]);
    const handle = await open(half, 'r');
    await handle.sync();
    await handle.close();
    await rename(half, target);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `Backed up ${manifest.tables.length} tables, ${rows} rows and ${manifest.files.length} files to ${target}.`,
    );
    if (missing > 0) console.error(`${missing} stored files were gone already and are not in it.`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

export const command: Command = {
  summary: 'write database and files into one archive',
  help: `
Usage: npx packpark backup FILE

Writes FILE (a .tar.gz that only you can read) with the database as it is at one moment, the stored
files, and the secret that sessions are signed with. A running host goes on meanwhile.`,
  async run({ positionals: [file] }) {
    if (!file) throw new StartError('Say where to: npx packpark backup FILE.');
    const target = path.resolve(file);
    if (existsSync(target))
      throw new StartError(`${target} exists already: choose another name, or remove it first.`);
    const settings = readSettings(process.env);
    await withDatabase(settings, (client) => backup(client, settings, target));
  },
};
