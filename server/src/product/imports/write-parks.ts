// Writes imported parks by sets: staged, matched with those that are known, compared, and then written in one transaction.
//
// A value that people corrected differs from what the source said last (private.park_imports): it stays, and where the
// source now says something new, too, the two are a conflict for the operator.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Place } from '#/product/imports/geometry.ts';
import type { NumberedPark } from '#/product/imports/read-parks.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** Parks written by one statement: progress is told between them. */
const BATCH = 5000;
/** Any constant will do that is the same in all processes, and in desk_undo_import. */
const IMPORT_LOCK = 7_276_003;

interface Conflict {
  park: string;
  name: string;
  what: string;
  /** What people made of it, which stays. */
  ours: string;
  theirs: string;
}

export interface Written {
  new: number;
  changed: number;
  unchanged: number;
  conflicts: Conflict[];
  /** Parks of the same source, in the area of the file, that are not in it any more; they stay. */
  vanished: { park: string; name: string; ref: string }[];
}

interface Counts {
  new: number;
  changed: number;
  all: number;
  last: number;
}

interface WriteOptions {
  /** Of a park that is new. */
  status: 'approved' | 'pending';
  dryRun: boolean;
  /** By which name the import is listed. */
  file: string;
  /** Public shelters, as far as they are known once all parks are read. */
  shelters: readonly Place[];
  progress(done: string): void;
}

/** What COPY's text format needs escaped; JSON itself has no raw tabs or line ends. */
const copyLine = ({ row, park }: NumberedPark): string => {
  const { columns, ...rest } = park;
  return `${row}\t${JSON.stringify({ ...rest, ...columns }).replaceAll('\\', '\\\\')}\n`;
};

async function* inChunks(parks: AsyncIterable<NumberedPark>, progress: WriteOptions['progress']) {
  let chunk = '';
  let count = 0;
  for await (const numbered of parks) {
    chunk += copyLine(numbered);
    count += 1;
    if (count % 500 === 0) {
      progress(`${count} parks read`);
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** The statements of write-parks.sql by their names. */
const SQL = new Map(
  readFileSync(path.join(ROOT, 'server/src/product/imports/write-parks.sql'), 'utf8')
    .split(/^-- (?=[a-z ]+(?::.*)?$)/m)
    .map((section) => [/^[a-z ]+/.exec(section)?.[0] ?? '', section.replace(/^.*\n/, '')]),
);
const sql = (name: string): string => {
  const text = SQL.get(name);
  if (text === undefined) throw new Error(`write-parks.sql has no statement "${name}"`);
  return text;
};

async function write(
  client: pg.ClientBase,
  { status, file, progress }: WriteOptions,
  { new: added, changed, last }: Counts,
): Promise<void> {
  const differs = added + changed > 0;
  await client.query('begin');
  try {
    const inBatches = async (what: string, statements: string[], value?: string) => {
      for (let row = 0; row < last; row += BATCH) {
        for (const statement of statements) {
          const text = sql(statement);
          const values = text.includes('$3') ? [value] : [];
          await client.query(text, [row, row + BATCH, ...values]);
        }
        progress(`${what} written: ${Math.min(last, row + BATCH)} of ${last} rows`);
      }
    };
    if (differs) {
      await client.query(sql('begin changes'));
      await inBatches('new parks', ['keep before', 'add parks', 'add texts'], status);
      const listed = [file, added, changed];
      const { rows } = await client.query<{ id: string }>(sql('list import'), listed);
      const changes = ['change parks', 'change texts', 'note said', 'keep change'];
      await inBatches('changes', changes, rows[0]?.id);
    } else await inBatches('changes', ['note said']);
    await client.query('commit');
    if (differs) await client.query(sql('analyze'));
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Says of each park how far the nearest public shelter is, where its source does not say it itself. */
async function measureShelters(client: pg.ClientBase, shelters: readonly Place[]): Promise<void> {
  await client.query(sql('read shelters'), [
    shelters.map(({ lat }) => lat),
    shelters.map(({ long }) => long),
  ]);
  await client.query(sql('measure shelters'));
}

/**
 * Writes parks, all or none; readers and people who add parks wait for nothing.
 * @param parks read while they are staged, a few hundred at a time
 * @throws StartError while another import runs
 */
export async function writeParks(
  client: pg.ClientBase,
  parks: AsyncIterable<NumberedPark>,
  options: WriteOptions,
): Promise<Written> {
  const { rows: locks } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_lock($1) as free',
    [IMPORT_LOCK],
  );
  if (!locks[0]?.free)
    throw new StartError('Another import is running on this database: wait until it is done.');
  try {
    await client.query(sql('stage'));
    await pipeline(
      Readable.from(inChunks(parks, options.progress)),
      client.query(copyFrom('copy staged_rows from stdin')),
    );
    await client.query(sql('read staged'));
    if (options.shelters.length > 0) await measureShelters(client, options.shelters);
    for (const match of ['match by id', 'match by id and place', 'match by place'])
      for (const statement of [match, 'pair']) await client.query(sql(statement));
    options.progress('compared with the parks that are known');
    for (const statement of ['compare', 'merge parks', 'merge texts', 'mark changes'])
      await client.query(sql(statement));
    const { rows } = await client.query<Counts>(sql('count'));
    const { rows: conflicts } = await client.query<Conflict>(sql('conflicts'));
    const { rows: vanished } = await client.query<Written['vanished'][number]>(sql('vanished'));
    const counts = rows[0] ?? { new: 0, changed: 0, all: 0, last: 0 };
    if (!options.dryRun) await write(client, options, counts);
    const { new: added, changed, all } = counts;
    return { new: added, changed, unchanged: all - added - changed, conflicts, vanished };
  } finally {
    await client.query(sql('clean up')).catch(() => undefined);
    await client.query('select pg_advisory_unlock($1)', [IMPORT_LOCK]).catch(() => undefined);
  }
}
