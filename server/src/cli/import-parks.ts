// `packpark import-parks FILE`: imports parks from OpenStreetMap, GeoJSON or CSV. Repeating an import is safe.
import { createReadStream } from 'node:fs';
import { access, constants, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import path from 'node:path';
import type { Command } from '#/cli/command.ts';
import { printable } from '#/cli/printable.ts';
import { importParks } from '#/product/imports/import-parks.ts';
import { noteLines, oddLines, resultLine } from '#/product/imports/report-lines.ts';
import type { ImportReport } from '#/product/imports/report.ts';
import { parseMapping, type Mapping } from '#/product/imports/mapping-file.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { requireNewestSchema } from '#/host/db/migrate.ts';
import { readSettings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

async function checkReadable(name: string): Promise<void> {
  try {
    await access(name, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`The file ${name} cannot be read (${code}).`, { cause: error });
  }
}

async function readMapping(name: string | undefined): Promise<Mapping> {
  if (name === undefined) return parseMapping('{}');
  await checkReadable(name);
  return parseMapping(await readFile(name, 'utf8'));
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function decisionsFrom(same: string[], others: string[]) {
  const pairs = same.map((pair): [string, number] => {
    const [, ref = '', park = ''] = /^(.+)=(\d+)$/.exec(pair) ?? [];
    if (ref === '') throw new StartError(`--same "${pair}" must look like --same ID=PARK.`);
    return [ref, Number(park)];
  });
  return { same: new Map(pairs), new: others };
}

/** Thrown if the import needs a confirmation and standard input is not a terminal. */
class UnansweredError extends StartError {
  override readonly exitCode = 2;
}

/** Prints the report, and asks for confirmation if it looks suspicious. @throws UnansweredError without a terminal */
async function confirm(report: ImportReport, { yes, dryRun }: { yes: boolean; dryRun: boolean }) {
  for (const line of noteLines(report, dryRun)) console.error(printable(line));
  const odd = oddLines(report);
  for (const line of odd) console.error(printable(`Please check: ${line}.`));
  if (dryRun || report.new + report.changed + report.unchanged === 0) return false;
  if (odd.length === 0 || yes) return true;
  if (!process.stdin.isTTY)
    throw new UnansweredError(
      'Nothing was written, because the file looks odd. If it is right, import it with --yes.',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Import it? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

export const command: Command = {
  summary: 'import parks from OpenStreetMap, GeoJSON or CSV',
  help: `
Usage: npx packpark import-parks FILE [options]

FILE is one of
  Overpass JSON   such as the response to
                  [out:json];area["ISO3166-1"="IL"];nwr(area)[leisure=dog_park];out geom;
  GeoJSON         features with points or polygons; also one on each line, and Esri JSON
  CSV             with a header line; cells separated by comma, semicolon or tab
Features with OpenStreetMap's tags for anything other than a dog park are left out and listed.
Properties and columns: name, city, address (each also with _en, _he, _ar), lat, long or geometry,
size (m²), shade (hours a day), materials (SAND, DIRT, GRASS, SYNTHETIC_GRASS), has_facilities
(yes, no), facts by OpenStreetMap's keys, such as fenced, lit, drinking_water and opening_hours;
source, source_ref, licence, source_date; and OpenStreetMap's tags, such as addr:street and surface.
A park is recognised by its place, name and id, so importing a file twice adds nothing. Corrected
values stay; parks that are missing in the file are listed. If something looks odd, the command
asks for confirmation first; without a terminal it then writes nothing and exits with 2.
"packpark imports undo" reverts an import.
docs/import.md has the details.

Options:
  --source NAME     the source of the parks; has priority over the file
  --licence NAME    their licence; has priority over the file
  --city NAME       for parks without a city
  --shelters FILE   public shelters, in one of these formats, for the distance to the nearest
  --mapping FILE    the meaning of other names of columns and values, as JSON
  --skip-unknown    ignore columns with an unknown meaning, instead of failing
  --encoding NAME   such as windows-1252; detected for UTF-8, UTF-16, Hebrew and Arabic
  --crs NAME        the coordinate system, if the file does not name it, such as EPSG:2039
  --same ID=PARK    the park with this id in the file is this known park; may be repeated
  --new ID          the park with this id in the file is not a known one; may be repeated
  --pending         new parks wait for "packpark desk approve"
  --yes             import the file even if it looks odd
  --dry-run         show what would happen and change nothing`,
  options: {
    source: { type: 'string' },
    licence: { type: 'string' },
    city: { type: 'string' },
    shelters: { type: 'string' },
    mapping: { type: 'string' },
    encoding: { type: 'string' },
    crs: { type: 'string' },
    same: { type: 'string', multiple: true },
    new: { type: 'string', multiple: true },
    'skip-unknown': { type: 'boolean' },
    pending: { type: 'boolean' },
    yes: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  async run({ values, positionals }) {
    const [name] = positionals;
    if (!name) throw new StartError('Name the file: npx packpark import-parks FILE.');
    await checkReadable(name);
    const shelters = text(values.shelters);
    if (shelters !== undefined) await checkReadable(shelters);
    const settings = readSettings(process.env);
    const dryRun = values['dry-run'] === true;
    const options = {
      file: path.basename(name),
      defaults: {
        source: text(values.source),
        licence: text(values.licence),
        city: text(values.city),
      },
      mapping: await readMapping(text(values.mapping)),
      skipUnknown: values['skip-unknown'] === true,
      encoding: text(values.encoding),
      crs: text(values.crs),
      shelters: shelters === undefined ? undefined : () => createReadStream(shelters),
      decisions: decisionsFrom(texts(values.same), texts(values.new)),
      status: values.pending === true ? ('pending' as const) : ('approved' as const),
      site: {
        countries: settings.ADDRESS_COUNTRY.split(','),
        start: settings.START_PLACE ?? null,
      },
      confirm: (report: ImportReport) => confirm(report, { yes: values.yes === true, dryRun }),
      note: (line: string) => console.error(printable(line)),
    };
    const report = await withDatabase(settings, async (client) => {
      await requireNewestSchema(client);
      return importParks(client, () => createReadStream(name), options);
    });
    console.log(printable(resultLine(report)));
    // The non-zero exit code lets a script detect a file without parks.
    if (report.new + report.changed + report.unchanged + report.needsReview === 0)
      throw new StartError('There is no park in the file that can be imported.');
  },
};
