// Runs one import: reads, validates, matches and writes a file of parks.
import type pg from 'pg';
import { decoded, findEncoding, type OpenFile } from '#/product/imports/decode.ts';
import { readParkFile } from '#/product/imports/formats.ts';
import type { Place } from '#/product/imports/geometry.ts';
import type { Mapping } from '#/product/imports/mapping-file.ts';
import { matchParks, type Decisions, type NumberedPark } from '#/product/imports/match-parks.ts';
import { createReport, type ImportReport } from '#/product/imports/report.ts';
import { readSiteArea, type Site } from '#/product/imports/site-area.ts';
import { rejectUnsupportedFormat } from '#/product/imports/unsupported-formats.ts';
import type { Defaults } from '#/product/imports/validate-park.ts';
import { validateRows, validateShelters } from '#/product/imports/validate-rows.ts';
import { withImportLock, writeParks } from '#/product/imports/write-parks.ts';

export interface ImportOptions {
  /** The name of the import in the list of imports. */
  file: string;
  defaults: Defaults;
  mapping: Mapping;
  /** True to ignore columns of a table whose meaning is unknown; false to fail. */
  skipUnknown: boolean;
  encoding?: string | undefined;
  /** The coordinate system, such as `EPSG:2039`, if the file does not specify it. */
  crs?: string | undefined;
  /** A file of public shelters, in addition to those in the file of parks. */
  shelters?: OpenFile | undefined;
  decisions: Decisions;
  status: 'approved' | 'pending';
  site: Site;
  /** Returns whether to continue. Called before anything is written. */
  confirm(report: ImportReport): Promise<boolean>;
  /** Prints a message for the operator while the import runs. */
  note(line: string): void;
}

const PROGRESS_MS = 2000;

/** Prints the progress at most once in two seconds. */
function createProgress(note: (line: string) => void) {
  let last = Date.now();
  return (done: string) => {
    if (Date.now() - last < PROGRESS_MS) return;
    last = Date.now();
    note(`… ${done}`);
  };
}

async function readFile(
  open: OpenFile,
  { encoding, crs, note }: Pick<ImportOptions, 'encoding' | 'crs' | 'note'>,
) {
  await rejectUnsupportedFormat(open);
  const found = encoding ?? (await findEncoding(open));
  if (encoding === undefined && found.startsWith('windows'))
    note(`The file is not UTF-8; it is read as ${found}.`);
  return readParkFile(decoded(open, found), crs);
}

async function readShelters(open: OpenFile, note: ImportOptions['note']): Promise<Place[]> {
  const places: Place[] = [];
  for await (const result of validateShelters(await readFile(open, { note }))) {
    if (result.type === 'shelter') places.push(result.place);
    else if (result.type === 'rejected')
      note(
        `Shelters, row ${result.row}: ${result.column} is ${result.value === '' ? 'missing' : `"${result.value}"`}`,
      );
  }
  return places;
}

/**
 * Imports a file of parks. The file is read in pieces, because it may not fit into memory.
 * @throws StartError if the file cannot be read or another import is running
 */
export async function importParks(
  client: pg.ClientBase,
  open: OpenFile,
  options: ImportOptions,
): Promise<ImportReport> {
  const { note } = options;
  const file = await readFile(open, options);
  const shelters = options.shelters ? await readShelters(options.shelters, note) : [];
  const area = await readSiteArea(client, options.site);
  const report = createReport();
  const progress = createProgress(note);

  async function* parks(): AsyncGenerator<NumberedPark> {
    const rows = validateRows(file, {
      ...options,
      checkPlace: area.check,
      onUnread: report.setUnread,
    });
    for await (const result of rows) {
      report.add(result, (park) => !area.contains(park));
      if (result.type === 'shelter') shelters.push(result.place);
      if (result.type === 'park') yield { row: result.row, park: result.park };
    }
  }

  return withImportLock(client, async () => {
    const plan = await matchParks(client, parks(), { ...options, shelters, progress });
    const planned = report.finish(plan, { area: area.name, shelters: shelters.length });
    if (!(await options.confirm(planned))) return planned;
    const id = await writeParks(client, plan, { ...options, progress });
    return { ...planned, written: true, id };
  });
}
