// `packpark import-parks FILE`: parks from OpenStreetMap, GeoJSON or CSV; may be run again at any time.
import { createReadStream } from 'node:fs';
import { access, constants, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from '#/cli/command.ts';
import { printable } from '#/cli/printable.ts';
import { importParks } from '#/product/imports/import-parks.ts';
import { parseMapping, type Mapping } from '#/product/imports/mapping-file.ts';
import { withDatabase } from '#/cli/with-database.ts';
import { requireNewestSchema } from '#/host/db/migrate.ts';
import { readSettings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

/** @throws StartError where the file is not there or may not be read */
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

export const command: Command = {
  summary: 'import parks from OpenStreetMap, GeoJSON or CSV',
  help: `
Usage: npx packpark import-parks FILE [options]

FILE is one of
  Overpass JSON   such as the answer to
                  [out:json];area["ISO3166-1"="IL"];nwr(area)[leisure=dog_park];out geom;
  GeoJSON         features with points or polygons
  CSV             with a header line; cells separated by comma, semicolon or tab
Things that OpenStreetMap's tags call something else than a dog park are left out and listed.
Properties and columns: name, city, address (each also with _en, _he, _ar), lat, long, size (m²),
shade (hours a day), materials (SAND, DIRT, GRASS, SYNTHETIC_GRASS), has_facilities (yes, no),
facts by OpenStreetMap's keys, such as fenced, lit, drinking_water and opening_hours;
source, source_ref, licence, source_date; and OpenStreetMap's tags, such as addr:street and surface.
A park is known again by its source and source_ref, or by its place, so running an import twice
doubles nothing. What people corrected stays; parks that are not in the file any more are listed.
"packpark imports undo" takes an import back.
docs/import.md says more.

Options:
  --source NAME     where the parks come from, whatever the file says
  --licence NAME    under which licence, whatever the file says
  --city NAME       for parks without a city
  --shelters FILE   places of public shelters, in one of these formats: how far the nearest is
  --mapping FILE    what other names of columns and values mean, as JSON
  --skip-unknown    leave out columns of a table that mean nothing, which is an error otherwise
  --encoding NAME   such as windows-1252; found by itself for UTF-8, Hebrew and Arabic
  --pending         let the new ones wait for "packpark desk approve"
  --dry-run         say what would happen and change nothing`,
  options: {
    source: { type: 'string' },
    licence: { type: 'string' },
    city: { type: 'string' },
    shelters: { type: 'string' },
    mapping: { type: 'string' },
    encoding: { type: 'string' },
    'skip-unknown': { type: 'boolean' },
    pending: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  async run({ values, positionals }) {
    const [name] = positionals;
    if (!name) throw new StartError('Say which file: npx packpark import-parks FILE.');
    await checkReadable(name);
    const shelters = text(values.shelters);
    if (shelters !== undefined) await checkReadable(shelters);
    const options = {
      file: path.basename(name),
      said: { source: text(values.source), licence: text(values.licence), city: text(values.city) },
      mapping: await readMapping(text(values.mapping)),
      skipUnknown: values['skip-unknown'] === true,
      encoding: text(values.encoding),
      shelters: shelters === undefined ? undefined : () => createReadStream(shelters),
      status: values.pending === true ? ('pending' as const) : ('approved' as const),
      dryRun: values['dry-run'] === true,
    };
    const any = await withDatabase(readSettings(process.env), async (client) => {
      await requireNewestSchema(client);
      return importParks(client, () => createReadStream(name), options, {
        result: (line) => console.log(printable(line)),
        note: (line) => console.error(printable(line)),
      });
    });
    // So that a script that feeds the import notices a file that is not what it was.
    if (!any) throw new StartError('There was no park in the file that could be imported.');
  },
};
