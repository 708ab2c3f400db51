// `packpark import-parks FILE`: parks from OpenStreetMap, GeoJSON or CSV; may be run again at any time.
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Command } from '#/cli/command.ts';
import { readParkFile, type ReadFile } from '#/product/imports/formats.ts';
import { readPark, type Defaults, type Park } from '#/product/imports/park-row.ts';
import { writePark, type Written } from '#/product/imports/write-parks.ts';
import { withDatabase } from '#/host/db/connect.ts';
import { migrateToNewest } from '#/host/db/migrate.ts';
import { readSettings } from '#/product/settings.ts';
import { StartError } from '#/host/lib/start-error.ts';

type Counts = Record<Written | 'bad', number>;

async function inSavepoint<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('savepoint park');
  try {
    return await work();
  } catch (error) {
    await client.query('rollback to savepoint park');
    throw error;
  } finally {
    await client.query('release savepoint park');
  }
}

/** All rows in one transaction; a bad one is reported with its number, and the rest go on. */
async function importAll(
  client: pg.ClientBase,
  file: ReadFile,
  options: { defaults: Defaults; status: 'approved' | 'pending'; dryRun: boolean },
): Promise<Counts> {
  const counts: Counts = { new: 0, changed: 0, unchanged: 0, bad: 0 };
  const seen = new Map<string, number>();
  await client.query('begin');
  for (const [index, raw] of file.rows.entries()) {
    const number = index + 1;
    try {
      const park: Park = readPark(raw, { ...file.defaults, ...options.defaults });
      const key = JSON.stringify([park.source, park.sourceRef]);
      const earlier = seen.get(key);
      if (earlier !== undefined)
        throw new Error(`${park.sourceRef} stands in row ${earlier} already`);
      seen.set(key, number);
      counts[await inSavepoint(client, () => writePark(client, park, options.status))] += 1;
    } catch (error) {
      counts.bad += 1;
      console.error(`Row ${number}: ${(error as Error).message}`);
    }
  }
  await client.query(options.dryRun ? 'rollback' : 'commit');
  return counts;
}

export const command: Command = {
  summary: 'import parks from OpenStreetMap, GeoJSON or CSV',
  help: `
Usage: npx packpark import-parks FILE [options]

FILE is one of
  Overpass JSON   elements tagged leisure=dog_park, such as the answer to
                  [out:json];area["ISO3166-1"="IL"];nwr[leisure=dog_park](area);out geom;
  GeoJSON         features with points or polygons
  CSV             with a header line
Properties and columns: name, city, address (each also with _en, _he, _ar), lat, long, size (m²),
shade (hours a day), materials (SAND, DIRT, GRASS, SYNTHETIC_GRASS), has_facilities (yes, no),
source, source_ref, licence, source_date. A park is known again by its source and source_ref
(its place where it has none), so running an import twice doubles nothing.

Options:
  --source NAME    where the parks come from, where the file does not say
  --licence NAME   under which licence, where the file does not say
  --city NAME      for parks without a city
  --pending        let the new ones wait for "packpark parks approve"
  --dry-run        say what would happen and change nothing`,
  options: {
    source: { type: 'string' },
    licence: { type: 'string' },
    city: { type: 'string' },
    pending: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  async run({ values, positionals }) {
    const [name] = positionals;
    if (!name) throw new StartError('Say which file: npx packpark import-parks FILE.');
    const text = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new StartError(`The file ${name} cannot be read (${error.code}).`, { cause: error });
    });
    const file = readParkFile(text);
    const dryRun = values['dry-run'] === true;
    const given = ['source', 'licence', 'city'].filter((option) => values[option] !== undefined);
    const counts = await withDatabase(readSettings(process.env), async (client) => {
      await migrateToNewest(client);
      return importAll(client, file, {
        defaults: Object.fromEntries(given.map((option) => [option, values[option]])),
        status: values.pending === true ? 'pending' : 'approved',
        dryRun,
      });
    });
    const sums = `${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.bad} bad`;
    console.log(dryRun ? `Would import: ${sums}. Nothing was changed.` : `Imported: ${sums}.`);
  },
};
