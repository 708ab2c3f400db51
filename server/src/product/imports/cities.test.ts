// Tests imports of files from four invented towns, using only what docs/import.md describes. testing/imports/cities/README.md
// describes the files.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runImport, type RunOptions } from '../../../../testing/run-import.ts';
import { connectTo, createTestDatabase } from '../../../../testing/test-host.ts';
import { ROOT } from '#/host/lib/paths.ts';

const client = await connectTo(await createTestDatabase());
beforeEach(() => client.query('truncate public.parks, private.imports cascade'));

const file = (name: string) => readFileSync(path.join(ROOT, 'testing/imports/cities', name));
const mapping = (name: string) => JSON.parse(file(name).toString()) as unknown;

async function importTwice(name: string, options: RunOptions) {
  const first = await runImport(client, file(name), options);
  const { report } = await runImport(client, file(name), options);
  expect([report.new, report.changed, report.unchanged]).toEqual([0, 0, first.report.new]);
  const { rows } = await client.query<Record<string, unknown>>(
    `select private.park_name(id, 'en') as name, round(lat::numeric, 3)::float as lat, round(long::numeric, 3)::float as long,
       size::float, materials::text[], facts from public.parks order by id`,
  );
  return { ...first, parks: rows };
}

test('València: a spreadsheet in Latin-1 with decimal commas', async () => {
  const options = {
    ...{ site: { countries: ['es'] }, source: 'Ajuntament de València', licence: 'CC BY 4.0' },
    ...{ encoding: 'windows-1252', mapping: mapping('valencia-mapping.json') },
  };
  await expect(
    runImport(client, file('valencia.csv'), { ...options, encoding: undefined }),
  ).rejects.toThrow('name its encoding with --encoding, such as --encoding windows-1252');
  await expect(
    runImport(client, file('valencia.csv'), { ...options, mapping: undefined }),
  ).rejects.toThrow('it has: OBJECTID, NOMBRE, DIRECCIÓN');
  const { parks, notes, odd } = await importTwice('valencia.csv', options);
  expect([notes, odd]).toEqual([[], []]);
  expect(parks).toHaveLength(6);
  expect(parks[0]).toMatchObject({
    ...{ name: 'Área canina Jardín de la Señera', lat: 39.461, long: -0.339, size: 1250.5 },
    ...{ materials: ['DIRT'], facts: { fenced: 'yes', bench: 'yes', opening_hours: '24/7' } },
  });
  expect(parks[2]).toMatchObject({ size: 2100, materials: ['DIRT', 'SAND'] });
});

test('Tucson: an ArcGIS export with projected coordinates', async () => {
  const options = {
    site: { countries: ['us'] },
    ...{ source: 'City of Tucson', licence: 'Public domain' },
  };
  await expect(runImport(client, file('tucson.geojson'), options)).rejects.toThrow(
    'STATE, ZIP, SMALL_DOG_AREA, PHONE, last_edited_date',
  );
  const { parks, report, odd } = await importTwice('tucson.geojson', {
    ...options,
    mapping: mapping('tucson-mapping.json'),
  });
  expect([report.leftOutRows, odd]).toMatchObject([
    [{ count: 2, reason: 'not wanted by the mapping file', rows: [5, 6] }],
    [],
  ]);
  expect(parks[1]).toMatchObject({
    ...{ name: "Miner's Run Off-Leash Area", lat: 32.241, long: -110.93, size: 2428.1 },
    materials: ['DIRT'],
    facts: { small_dog: 'separate', lit: 'yes', opening_hours: '06:00-22:00' },
  });
  expect(parks[3]).toMatchObject({ size: 10_041.7, facts: { opening_hours: 'sunrise-sunset' } });
});

test('Yokohama: relations of OpenStreetMap with Japanese names', async () => {
  const { parks, report, odd } = await importTwice('yokohama.json', {
    site: { countries: ['jp'] },
    city: '横浜市',
  });
  expect([report.leftOutRows.map(({ reason }) => reason), odd]).toEqual([
    ['access=private', 'shop=pet'],
    [],
  ]);
  expect(parks.map(({ name }) => name)).toEqual([
    'Kohoku Minato Dog Run',
    '汐見台ドッグパーク',
    '根岸の森ドッグラン (Negishi Forest Dog Run)',
    'ドッグカフェ庭',
    'Dog park',
  ]);
  // The outer ring consists of two ways, and the inner ring is a hole.
  expect(parks[2]).toMatchObject({ lat: 35.442, long: 139.622, size: 151_102.7 });
});

test('Amman: Arabic names, values and digits', async () => {
  const { parks, notes } = await importTwice('amman.json', {
    site: { countries: ['jo'] },
    city: 'عمّان',
  });
  expect(notes).toEqual([]);
  expect(parks).toMatchObject([
    { name: 'Al-Yasmin Dog Park', materials: ['GRASS'], facts: { opening_hours: '08:00-17:00' } },
    { name: 'ساحة الكلاب', facts: { fenced: 'yes' } },
  ]);
});
