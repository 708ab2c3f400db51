// Third step of an import: stages the parks of a file, matches them with known parks and compares the values. Nothing is written. A
// value that users corrected differs from the value of the last import (private.park_imports), so it is kept. If the source has a
// new value too, the operator must resolve the conflict.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Place } from '#/product/imports/geometry.ts';
import { statement } from '#/product/imports/statements.ts';
import type { Park } from '#/product/imports/validate-park.ts';
import { StartError } from '#/host/lib/start-error.ts';
import type {
  Conflict,
  ImportedPlace,
  Review,
  Vanished,
} from '../../../../shared/import-report.ts';

export interface NumberedPark {
  row: number;
  park: Park;
}

/** The operator's decisions about parks that need a review, by their IDs in the file. */
export interface Decisions {
  /** IDs in the file that are known parks, with the park's ID. */
  same: ReadonlyMap<string, number>;
  /** IDs in the file that are new parks. */
  new: readonly string[];
}

/** The changes that writing would make. */
export interface Plan {
  new: number;
  changed: number;
  unchanged: number;
  reviews: Review[];
  conflicts: Conflict[];
  /** Parks of the same source that are in the area of the file but missing in the file. They are kept. */
  vanished: Vanished[];
  places: ImportedPlace[];
  /**
   * `known` parks of the file match known parks; `moved` of them have moved by more than 500 metres, and `renamed` have a new name.
   */
  known: number;
  moved: number;
  renamed: number;
  /** The highest number of parks at the same place. */
  crowded: number;
  /** The number of rows that become a second source of a known park. */
  joined: number;
  last: number;
}

/** Formats a line for COPY's text format. Only backslashes need escaping, because JSON contains no raw tabs or line breaks. */
const copyLine = ({ row, park }: NumberedPark): string => {
  const { columns, ...rest } = park;
  return `${row}\t${JSON.stringify({ ...rest, ...columns }).replaceAll('\\', '\\\\')}\n`;
};

async function* inChunks(parks: AsyncIterable<NumberedPark>, progress: (done: string) => void) {
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

const MAX_PLACES = 2000;

const MATCHES = [
  'match by name and place',
  'match by id',
  'match by id and place',
  'match by place',
  'match by name',
];

/**
 * @param progress called with messages for the operator
 * @param shelters resolves after all parks have been read
 */
export async function matchParks(
  client: pg.ClientBase,
  parks: AsyncIterable<NumberedPark>,
  options: {
    decisions: Decisions;
    shelters: readonly Place[];
    progress: (done: string) => void;
  },
): Promise<Plan> {
  const { decisions, shelters, progress } = options;
  const known = [...decisions.same.values()];
  const same = [[...decisions.same.keys()], known];
  if (new Set(known).size < known.length)
    throw new StartError('Two ids of the file cannot be the same park.');
  const run = async <Row extends pg.QueryResultRow>(name: string, values?: unknown[]) =>
    (await client.query<Row>(statement(name), values)).rows;
  await run('stage');
  await pipeline(
    Readable.from(inChunks(parks, progress)),
    client.query(copyFrom('copy staged_rows from stdin')),
  );
  await run('read staged');
  if (shelters.length > 0) {
    await run('read shelters', [shelters.map(({ lat }) => lat), shelters.map(({ long }) => long)]);
    await run('measure shelters');
  }
  await run('match by decision', same);
  await run('take decided');
  for (const match of MATCHES) {
    await run(match);
    await run('pair');
  }
  await run('match with other sources', [decisions.new]);
  await run('join other sources');
  await run('join by decision', same);
  await run('settle joins');
  await run('review ids', [decisions.new]);
  await run('take reviewed');
  progress('compared with the known parks');
  for (const name of ['release ids', 'compare', 'merge parks', 'merge texts', 'mark changes'])
    await run(name);
  const [counts] = await run<{ new: number; changed: number; all: number; last: number }>('count');
  const [signs] =
    await run<Pick<Plan, 'known' | 'moved' | 'renamed' | 'crowded' | 'joined'>>(
      'signs of a wrong file',
    );
  const { all, last, ...changes } = counts ?? { new: 0, changed: 0, all: 0, last: 0 };
  return {
    known: 0,
    moved: 0,
    renamed: 0,
    crowded: 0,
    joined: 0,
    ...signs,
    ...changes,
    unchanged: all - changes.new - changes.changed,
    last,
    reviews: await run<Review & pg.QueryResultRow>('rows for review'),
    conflicts: await run<Conflict & pg.QueryResultRow>('conflicts'),
    vanished: await run<Vanished & pg.QueryResultRow>('vanished'),
    places: await run<ImportedPlace & pg.QueryResultRow>('places', [MAX_PLACES]),
  };
}
