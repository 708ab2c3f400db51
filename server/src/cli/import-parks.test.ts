// Imports through the built command: the three kinds of file, twice, dry, and with bad rows.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli, temporaryData } from '../../testing/run-cli.ts';
import { createTestDatabase } from '../../testing/test-host.ts';

let connection: string;
let client: pg.Client;

beforeAll(async () => {
  connection = await createTestDatabase();
  client = new pg.Client(connection);
  await client.connect();
});
afterAll(() => client.end());

/** Writes a file and imports it. */
async function importText(text: string, ...options: string[]) {
  const data = temporaryData();
  const file = path.join(data, 'parks.txt');
  writeFileSync(file, text);
  return runCli(['import-parks', file, ...options], { DATABASE_URL: connection, DATA_DIR: data });
}

async function parksFrom(source: string) {
  const { rows } = await client.query<Record<string, unknown>>(
    `select p.source_ref, p.status, p.licence, p.source_date::text, round(p.lat::numeric, 4)::float as lat,
       round(p.long::numeric, 4)::float as long, p.size::float, p.materials::text[], p.has_facilities,
       (select json_object_agg(t.language, json_build_array(t.name, t.city, t.address)) from public.park_translations t where t.park_id = p.id) as texts
     from public.parks p where p.source = $1 order by p.source_ref`,
    [source],
  );
  return rows;
}

const corner = (lat: number, lon: number) => ({ lat, lon });
const osm = {
  osm3s: { timestamp_osm_base: '2026-01-31T00:00:00Z' },
  elements: [
    {
      type: 'node',
      id: 1,
      lat: 32.1,
      lon: 34.8,
      tags: {
        leisure: 'dog_park',
        name: 'גינת מאיר',
        'name:en': 'Meir Garden',
        'name:ar': 'حديقة مئير',
        'addr:city': 'תל אביב-יפו',
        'addr:street': 'קינג ג׳ורג׳',
        'addr:housenumber': '35',
        surface: 'sand;artificial_turf',
        drinking_water: 'yes',
      },
    },
    {
      type: 'way',
      id: 2,
      geometry: [
        corner(32, 34.9),
        corner(32, 34.901),
        corner(32.001, 34.901),
        corner(32.001, 34.9),
        corner(32, 34.9),
      ],
      tags: { leisure: 'dog_park' },
    },
    { type: 'node', id: 3, lat: 32, lon: 34.9 },
  ],
};

describe('OpenStreetMap', () => {
  test('a dry run changes nothing; then parks come with their names, ground, area, source and licence', async () => {
    const dry = await importText(JSON.stringify(osm), '--city', 'חולון', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout.trim()).toBe(
      'Would import: 2 new, 0 changed, 0 unchanged, 0 bad. Nothing was changed.',
    );
    expect(await parksFrom('OpenStreetMap')).toEqual([]);

    const done = await importText(JSON.stringify(osm), '--city', 'חולון');
    expect(done.stdout.trim()).toBe('Imported: 2 new, 0 changed, 0 unchanged, 0 bad.');
    expect(await parksFrom('OpenStreetMap')).toEqual([
      {
        source_ref: 'node/1',
        status: 'approved',
        licence: 'ODbL 1.0',
        source_date: '2026-01-31',
        lat: 32.1,
        long: 34.8,
        size: null,
        materials: ['SAND', 'SYNTHETIC_GRASS'],
        has_facilities: true,
        texts: {
          en: ['Meir Garden', 'תל אביב-יפו', 'קינג ג׳ורג׳ 35'],
          he: ['גינת מאיר', 'תל אביב-יפו', 'קינג ג׳ורג׳ 35'],
          ar: ['حديقة مئير', 'תל אביב-יפו', 'קינג ג׳ורג׳ 35'],
        },
      },
      {
        source_ref: 'way/2',
        status: 'approved',
        licence: 'ODbL 1.0',
        source_date: '2026-01-31',
        lat: 32.0005,
        long: 34.9005,
        size: expect.closeTo(10485, -2) as number,
        materials: [],
        has_facilities: null,
        texts: { he: ['גינת כלבים', 'חולון', 'חולון'] },
      },
    ]);
  });

  test('a second run doubles nothing and keeps what users and moderators did since', async () => {
    await client.query(
      `update public.parks set shade = 4, status = 'rejected' where source_ref = 'way/2'`,
    );
    const again = await importText(JSON.stringify(osm), '--city', 'חולון');
    expect(again.stdout.trim()).toBe('Imported: 0 new, 0 changed, 2 unchanged, 0 bad.');
    const [node] = osm.elements;
    const renamed = {
      elements: [{ ...node, tags: { ...node?.tags, leisure: 'dog_park', 'name:en': 'Meir Park' } }],
    };
    const changed = await importText(JSON.stringify(renamed));
    expect(changed.stdout.trim()).toBe('Imported: 0 new, 1 changed, 0 unchanged, 0 bad.');
    const [first, second] = await parksFrom('OpenStreetMap');
    expect(first?.texts).toMatchObject({ en: ['Meir Park', 'תל אביב-יפו', 'קינג ג׳ורג׳ 35'] });
    expect(second).toMatchObject({ status: 'rejected' });
  });
});

test('CSV: bad rows are reported with their numbers, the rest go on', async () => {
  const text = `source_ref,name,name_he,city,address,lat,long,size,materials,has_facilities
a,Sea Run,ריצת הים,Haifa,Sea 1,32.8,34.9,1200,SAND;GRASS,yes
b,No Place,,Haifa,Sea 2,,34.9,,,
c,Far Out,,Haifa,Sea 3,32.8,200,,,
d,"Quoted, ""Park""",,Haifa,Sea 4,32.81,34.91,,LAVA,
a,Twice,,Haifa,Sea 5,32.8,34.9,,,
e,Last,,Haifa,Sea 6,32.82,34.92,,,no`;
  const result = await importText(
    text,
    '--source',
    'City of Haifa',
    '--licence',
    'CC BY 4.0',
    '--pending',
  );
  expect(result.code).toBe(0);
  expect(result.stderr.trim().split('\n')).toEqual([
    'Row 2: lat is missing',
    'Row 3: long must be from -180 to 180',
    'Row 4: materials may be SAND, DIRT, GRASS, SYNTHETIC_GRASS',
    'Row 5: a stands in row 1 already',
  ]);
  expect(result.stdout.trim()).toBe('Imported: 2 new, 0 changed, 0 unchanged, 4 bad.');
  expect(await parksFrom('City of Haifa')).toMatchObject([
    {
      source_ref: 'a',
      status: 'pending',
      size: 1200,
      materials: ['GRASS', 'SAND'],
      has_facilities: true,
    },
    { source_ref: 'e', status: 'pending', has_facilities: false },
  ]);
});

test('GeoJSON: points and polygons, known again by their place where they have no id', async () => {
  const text = JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: {
          name: 'Field',
          city: 'Acre',
          source: 'Survey',
          licence: 'CC0',
          materials: ['GRASS'],
        },
        geometry: { type: 'Point', coordinates: [35.07, 32.93] },
      },
      {
        type: 'Feature',
        properties: { 'name:he': 'שדה', city: 'עכו', source: 'Survey', licence: 'CC0' },
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [35, 33],
              [35.001, 33],
              [35.001, 33.001],
              [35, 33.001],
              [35, 33],
            ],
          ],
        },
      },
      { type: 'Feature', properties: { name: 'Nowhere', city: 'Acre' }, geometry: null },
    ],
  });
  expect((await importText(text)).stdout.trim()).toBe(
    'Imported: 2 new, 0 changed, 0 unchanged, 1 bad.',
  );
  expect((await importText(text)).stdout.trim()).toBe(
    'Imported: 0 new, 0 changed, 2 unchanged, 1 bad.',
  );
  expect(await parksFrom('Survey')).toMatchObject([
    { lat: 32.93, source_ref: '@32.93000,35.07000' },
    { lat: 33.0005 },
  ]);
});

test.each([
  [['import-parks'], /^Say which file/],
  [['import-parks', '/nowhere.csv'], /^The file \/nowhere\.csv cannot be read \(ENOENT\)\.$/],
])('%j: one sentence', async (args, sentence) => {
  const result = await runCli(args, { DATABASE_URL: connection, DATA_DIR: temporaryData() });
  expect(result.code).toBe(1);
  expect(result.stderr.trim()).toMatch(sentence);
});

test('a file of no kind we know, and one without a source', async () => {
  expect((await importText('{"parks": []}')).stderr).toMatch(/^The file is neither Overpass JSON/);
  expect((await importText('{"elements": [')).stderr).toMatch(/^The file is no JSON/);
  expect((await importText('name,city,lat,long\nA,B,32,34')).stderr).toMatch(
    /^Row 1: source or licence is missing/,
  );
});
