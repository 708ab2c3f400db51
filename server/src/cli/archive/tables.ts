// Lists the tables of the database, and reads and writes them in COPY's text format, in an order that allows comparing two
// databases.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Manifest } from '#/cli/archive/manifest.ts';

type Table = Manifest['tables'][number];
type TableContent = Pick<Table, 'bytes' | 'rows' | 'sha256'>;
type TableShape = Omit<Table, keyof TableContent>;

/** Tables in our schemas. Those of extensions and of the server are excluded, because they come with the software. */
const TABLES = `
  select n.nspname as schema, c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    coalesce(array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
      where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)), '{}') as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by 1, 2`;

/** Settings that make every PostgreSQL server write the same row as the same text, so that hashes can be compared. */
export const STABLE_TEXT = `
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8'`;

/** Lists all tables that contain the site's data, in the same order on every server. */
export const listTables = async (client: pg.ClientBase): Promise<TableShape[]> =>
  (await client.query<TableShape>(TABLES)).rows;

export const tableName = ({ schema, name }: { schema: string; name: string }): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

/** Counts and hashes the stream. COPY ends every row with one line feed and escapes line feeds in values. */
function meter(): { through: Transform; content(): TableContent } {
  const hash = createHash('sha256');
  let bytes = 0;
  let rows = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) rows += 1;
      done(null, chunk);
    },
  });
  return { through, content: () => ({ bytes, rows, sha256: hash.digest('hex') }) };
}

/**
 * Reads a table in the caller's transaction, which must have run STABLE_TEXT first. `file` is the file to write; if it is null,
 * the content is only measured.
 */
export async function readTable(
  client: pg.ClientBase,
  table: TableShape,
  file: string | null,
): Promise<TableContent> {
  const columns = table.columns.map(escapeIdentifier).join(', ');
  const order =
    table.key.length > 0
      ? table.key.map((column) => `${escapeIdentifier(column)}::text collate "C"`).join(', ')
      : 't::text collate "C"';
  const source = client.query(
    copyTo(`copy (select ${columns} from ${tableName(table)} t order by ${order}) to stdout`),
  );
  const { through, content } = meter();
  if (file === null) {
    through.resume();
    await pipeline(source, through);
  } else {
    await pipeline(source, through, createWriteStream(file));
  }
  return content();
}

const FOREIGN_KEYS = `
  select format('%I.%I', n.nspname, c.relname) as "table", quote_ident(k.conname) as name,
    pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where k.contype = 'f' and c.oid = any ($1::regclass[])
  order by 1, 2`;

/**
 * Runs `load` with the triggers of the tables disabled and their foreign keys removed, so that rows can be loaded in any order; at
 * the end the foreign keys are added again, which checks all rows. This needs only ownership of the tables, whereas
 * `session_replication_role` needs a superuser.
 */
export async function withoutTriggers(
  client: pg.ClientBase,
  tables: readonly TableShape[],
  load: () => Promise<void>,
): Promise<void> {
  const names = tables.map(tableName);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    FOREIGN_KEYS,
    [names],
  );
  for (const { table, name } of keys)
    await client.query(`alter table ${table} drop constraint ${name}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await load();
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
}

/** Fills an empty table from a file that readTable wrote. */
export async function fillTable(
  client: pg.ClientBase,
  table: TableShape,
  file: string,
): Promise<void> {
  const columns = table.columns.map(escapeIdentifier).join(', ');
  await pipeline(
    createReadStream(file),
    client.query(copyFrom(`copy ${tableName(table)} (${columns}) from stdin`)),
  );
}

/** All sequences, in the same order on every server. */
export async function readSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(
    `select schemaname as schema, sequencename as name, last_value::text as last
     from pg_sequences where schemaname !~ '^pg_' order by 1, 2`,
  );
  return rows;
}

/** Continues each sequence after its value in the archive. An unused sequence stays unused. */
export async function setSequences(
  client: pg.ClientBase,
  sequences: Manifest['sequences'],
): Promise<void> {
  for (const sequence of sequences)
    if (sequence.last !== null)
      await client.query('select setval($1::regclass, $2)', [tableName(sequence), sequence.last]);
}
