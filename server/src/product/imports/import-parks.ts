// One import from a file to the sentences about it.
import type pg from 'pg';
import { decoded, findEncoding, type OpenFile } from '#/product/imports/decode.ts';
import { readParkFile } from '#/product/imports/formats.ts';
import type { Place } from '#/product/imports/geometry.ts';
import type { Mapping } from '#/product/imports/mapping-file.ts';
import type { Said } from '#/product/imports/park-row.ts';
import { refuseOtherKinds } from '#/product/imports/other-kinds.ts';
import { readParks, readShelters, type NumberedPark } from '#/product/imports/read-parks.ts';
import { writeParks, type Written } from '#/product/imports/write-parks.ts';

export interface ImportOptions {
  /** By which name the import is listed. */
  file: string;
  said: Said;
  mapping: Mapping;
  /** Whether columns of a table that mean nothing are left out, rather than an error. */
  skipUnknown: boolean;
  encoding?: string | undefined;
  /** A file of public shelters, beside those that the file of parks has itself. */
  shelters?: OpenFile | undefined;
  /** Of parks that are new. */
  status: 'approved' | 'pending';
  dryRun: boolean;
}

interface Teller {
  result(line: string): void;
  note(line: string): void;
}

/** More lines of one kind than this are only counted. */
const MOST_LINES = 100;
const PROGRESS_MS = 2000;

/** Tells the first lines of a kind at once, and at the end how many more there were. */
function bounded(tell: (line: string) => void) {
  let told = 0;
  return {
    tell(line: string) {
      told += 1;
      if (told <= MOST_LINES) tell(line);
    },
    end(what: string) {
      if (told > MOST_LINES) tell(`… and ${told - MOST_LINES} more ${what}.`);
    },
  };
}

/** The rows that are no parks: how many of each kind, and the first of them. */
function createLeftOut() {
  const kinds = new Map<string, { count: number; first: number[] }>();
  return {
    add(row: number, kind: string) {
      const known = kinds.get(kind) ?? { count: 0, first: [] };
      known.count += 1;
      if (known.first.length < 5) known.first.push(row);
      kinds.set(kind, known);
    },
    tell(tell: (line: string) => void) {
      const total = [...kinds.values()].reduce((sum, { count }) => sum + count, 0);
      if (total === 0) return;
      tell(`Left out ${total} rows that are no dog parks:`);
      for (const [kind, { count, first }] of kinds)
        tell(`  ${count} × ${kind} (row ${first.join(', ')}${count > first.length ? ', …' : ''})`);
    },
  };
}

const parkName = ({ park, name }: { park: string; name: string }): string =>
  name ? `${park} (${name})` : park;

function tellDifferences({ conflicts, vanished }: Written, note: Teller['note']): void {
  if (conflicts.length > 0) {
    note('The source says something new where people corrected it; what people say stays:');
    const lines = bounded(note);
    for (const conflict of conflicts)
      lines.tell(
        `  Park ${parkName(conflict)}: ${conflict.what} is ${conflict.ours} here, ${conflict.theirs} in the file`,
      );
    lines.end('such differences');
  }
  if (vanished.length > 0) {
    note('These parks of the same source are not in the file any more; they stay as they are:');
    const lines = bounded(note);
    for (const gone of vanished) lines.tell(`  Park ${parkName(gone)}, ${gone.ref}`);
    lines.end('such parks');
  }
}

const PREVIEWED = 10;

/** Tells of the first parks how they would stand. */
async function* previewed(parks: AsyncIterable<NumberedPark>, note: Teller['note']) {
  let told = 0;
  for await (const numbered of parks) {
    const { lat, long, columns, facts, texts } = numbered.park;
    if (told === 0) note('The first parks as they would stand:');
    if (told < PREVIEWED) {
      const names = Object.entries(texts).map(
        ([language, { name, city, address }]) =>
          `${language}: ${[name, address, city].filter(Boolean).join(', ')}`,
      );
      const known = Object.entries({ ...columns, ...facts }).filter(([, value]) => value !== null);
      const said = known.map(([key, value]) => `${key} ${String(value)}`);
      note(
        `  Row ${numbered.row}: ${names.join(' | ')} (${[`${lat}, ${long}`, ...said].join('; ')})`,
      );
    }
    told += 1;
    yield numbered;
  }
}

/** The public shelters of a file of their own; nothing else of it is told but its wrong rows. */
async function sheltersIn(open: OpenFile, note: Teller['note']): Promise<Place[]> {
  await refuseOtherKinds(open);
  const places: Place[] = [];
  const bad = bounded(note);
  await readShelters(await readParkFile(decoded(open, await findEncoding(open))), {
    bad: (row, problem) => bad.tell(`Shelters, row ${row}: ${problem}`),
    leftOut: () => undefined,
    shelter: (place) => places.push(place),
  });
  bad.end('bad rows of shelters');
  return places;
}

async function placeOfKnownParks(client: pg.ClientBase): Promise<Place | null> {
  const { rows } = await client.query<{ lat: number | null; long: number }>(
    `select percentile_cont(0.5) within group (order by lat) as lat, percentile_cont(0.5) within group (order by long) as long
     from public.parks where status = 'approved'`,
  );
  const [{ lat, long } = { lat: null, long: 0 }] = rows;
  return lat === null ? null : { lat, long };
}

/**
 * Imports a file of parks and tells what came of it; the file is read in pieces, and never held as a whole.
 * @returns whether there was any park in it
 * @throws StartError where the file cannot be read at all, or another import runs
 */
export async function importParks(
  client: pg.ClientBase,
  open: OpenFile,
  options: ImportOptions,
  { result, note }: Teller,
): Promise<boolean> {
  const { encoding, dryRun } = options;
  await refuseOtherKinds(open);
  const found = encoding ?? (await findEncoding(open));
  if (encoding === undefined && found.startsWith('windows'))
    note(`The file is not UTF-8; it is read as ${found}.`);
  const file = await readParkFile(decoded(open, found));
  const bad = { count: 0, lines: bounded(note) };
  const shelters = options.shelters ? await sheltersIn(options.shelters, note) : [];
  const leftOut = createLeftOut();
  let nameless = 0;
  const near = await placeOfKnownParks(client);
  const parks = readParks(
    file,
    { ...options, near },
    {
      bad(row, problem) {
        bad.count += 1;
        bad.lines.tell(`Row ${row}: ${problem}`);
      },
      leftOut: leftOut.add,
      nameless: () => (nameless += 1),
      shelter: (place) => shelters.push(place),
    },
  );
  let told = Date.now();
  const written = await writeParks(client, dryRun ? previewed(parks, note) : parks, {
    ...options,
    shelters,
    progress(done) {
      if (Date.now() - told < PROGRESS_MS) return;
      told = Date.now();
      note(`… ${done}`);
    },
  });
  bad.lines.end('bad rows');
  leftOut.tell(note);
  if (shelters.length > 0)
    note(`Measured from each park to the nearest of ${shelters.length} public shelters.`);
  if (nameless > 0)
    note(`Parks without a name, called by their street or "Dog park": ${nameless}.`);
  tellDifferences(written, note);
  const sums = `${written.new} new, ${written.changed} changed, ${written.unchanged} unchanged, ${bad.count} bad`;
  result(dryRun ? `Would import: ${sums}. Nothing was changed.` : `Imported: ${sums}.`);
  return written.new + written.changed + written.unchanged > 0;
}
