// Tests files of cities, spreadsheets and mappers: everything that is recognised is imported, and everything else is reported.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runImport, type RunOptions } from '../../../../testing/run-import.ts';
import { connectTo, createTestDatabase } from '../../../../testing/test-host.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { importedPlace } from '#/product/site-settings.ts';

const client = await connectTo(await createTestDatabase());
beforeEach(() => client.query('truncate public.parks, private.imports cascade'));

const file = (name: string) => readFileSync(path.join(ROOT, 'testing/imports', name));
const CITY = { source: 'City', licence: 'CC0', city: 'Haifa' };
const run = (content: Parameters<typeof runImport>[1], options: RunOptions = {}) =>
  runImport(client, content, { ...CITY, ...options });

async function parks() {
  const { rows } = await client.query<{
    id: number;
    name: string;
    address: string;
    city: string;
    lat: number;
    long: number;
    size: number | null;
    materials: string[];
    has_facilities: boolean | null;
    source_date: string | null;
    outline: { type: string; coordinates: number[][][] } | null;
    facts: Record<string, string>;
    source_ref: string;
    status: string;
  }>(
    `select p.id::integer, private.park_name(p.id, 'en') as name, t.address, t.city, round(p.lat::numeric, 4)::float as lat,
       round(p.long::numeric, 4)::float as long, p.size::float, p.materials::text[], p.has_facilities, p.source_date::text, p.outline,
       p.facts, p.source_ref, p.status
     from public.parks p join lateral private.named_park(p.id, 'en') t on true order by p.id`,
  );
  return rows;
}
const byName = async () => new Map((await parks()).map((park) => [park.name, park]));
const table = (header: string, ...rows: string[]) => [header, ...rows].join('\n');

test.each([
  ['facilities.csv', [true, true, true]],
  ['hebrew-yes.csv', [true, true, true, true]],
])('every spelling of yes makes water and benches facilities: %s', async (name, expected) => {
  await run(file(name));
  expect((await parks()).map((park) => park.has_facilities)).toEqual(expected);
});

test('an address of the maximum length stays within it when spaces are added after its commas', async () => {
  await run(table('name,address,lat,long', `Oak,"${'Elm 5,'.repeat(40)}",32.8,35`));
  expect((await parks())[0]?.address.length).toBeLessThanOrEqual(200);
});

test('values of mappers are recognised: seasonal water, a number of benches, feet, an amount of money', async () => {
  const { report } = await run(file('osm-values.json'));
  const found = await byName();
  expect(found.get('Seasonal')).toMatchObject({ has_facilities: true, materials: [] });
  expect(found.get('No water, toilets')).toMatchObject({
    has_facilities: true,
    facts: { drinking_water: 'no' },
  });
  expect(found.get('Customers')).toMatchObject({
    has_facilities: true,
    facts: {
      access: 'customers',
      fee: 'yes',
      bench: 'yes',
      drinking_water: 'yes',
      'fence:height': '1.8',
    },
  });
  expect(report.dropped).toMatchObject([{ column: 'materials', value: 'gravel', rows: [1] }]);
  // The ways of a relation are joined, and an inner ring is a hole.
  expect(found.get('Split ring')?.outline?.coordinates[0]).toHaveLength(5);
  expect(found.get('With pond')?.outline?.coordinates).toHaveLength(2);
  expect(found.get('With pond')?.size).toBeCloseTo((200 * 200 - 100 * 100) * 1.04, -4);
});

test('yes and no are recognised in several languages, and other values are dropped', async () => {
  const { report } = await run(file('yes-no.csv'));
  expect((await parks()).map(({ facts }) => [facts.fenced, facts.lit])).toEqual([
    ['yes', 'yes'],
    ['yes', 'no'],
    [undefined, undefined],
    [undefined, undefined],
    ['no', 'yes'],
    ['yes', 'no'],
    ['yes', 'no'],
    ['yes', 'yes'],
  ]);
  expect(report.dropped).toEqual([
    {
      column: 'fenced',
      value: 'partial',
      expected: { type: 'values', values: { values: 'yes, no' } },
      count: 1,
      rows: [3],
    },
  ]);
});

test.each([
  ['zero-date.csv', ['2026-01-31', null], ['source_date', '0000-00-00']],
  ['dates.csv', ['2026-01-31', null], ['source_date', '2026-02-31']],
  ['bad-date.geojson', [null, null], ['source_date', '2026-99-99T00:00']],
  [
    table('name,lat,long,date', 'A,32.8,35,12-Jun-25', 'B,32.9,35,31-Jun-25'),
    ['2025-06-12', null],
    ['source_date', '31-Jun-25'],
  ],
])(
  'an invalid day is dropped and the other days are kept: %s',
  async (name, days, [column, value]) => {
    const { report } = await run(name.includes('\n') ? name : file(name));
    expect((await parks()).map((park) => park.source_date)).toEqual(days);
    expect(report.dropped).toMatchObject([{ column, value }]);
    expect(report).toMatchObject({ new: 2, rejected: 0 });
  },
);

test('characters that PostgreSQL cannot store are removed: NUL, and half of a surrogate pair', async () => {
  await run(file('nul.geojson'));
  expect((await byName()).get('NUL')?.facts).toEqual({ opening_hours: '24/7' });
  const half = String.fromCharCode(0xd83d);
  const properties = { name: `Half ${half} dog`, opening_hours: `24/7${half}`, id: `a${half}` };
  const geometry = { type: 'Point', coordinates: [35, 32.8] };
  const { report } = await run({ features: [{ type: 'Feature', properties, geometry }] });
  expect(report).toMatchObject({ new: 1, rejected: 0 });
  expect((await byName()).get('Half dog')).toMatchObject({ source_ref: 'a' });
});

test('ways of a relation become rings whatever their roles and directions, and an open way only has a place', async () => {
  await run(file('relation-ring.json'));
  const found = await byName();
  for (const name of ['Ring of two ways', 'Ring of a long and a short way', 'Empty role']) {
    const park = found.get(name);
    const ring = park?.outline?.coordinates[0];
    expect([name, park?.outline?.type, ring?.[0]]).toEqual([name, 'Polygon', ring?.at(-1)]);
    expect(park?.lat).toBeCloseTo(32.901, 4);
  }
  expect(found.get('Open way')).toMatchObject({ outline: null, lat: 32.901, long: 35.501 });
});

test('parks are recognised when a source renumbers its rows, and undo restores their ids', async () => {
  await run(file('row-ids-1.csv'));
  const before = await parks();
  const { report } = await run(file('row-ids-2.csv'));
  expect(report).toMatchObject({ new: 0, changed: 2, odd: [], needsReview: 0 });
  expect(report.vanished).toMatchObject([{ name: 'Oak Park' }]);
  const after = await parks();
  expect(after.map(({ id, name }) => [id, name])).toEqual(before.map(({ id, name }) => [id, name]));
  expect(after.map(({ source_ref }) => source_ref)).toEqual([
    `@33.01010,35.11010#${before[0]?.id}`,
    '0',
    '1',
  ]);
  await client.query(
    'select public.desk_undo_import(id) from private.imports order by imported_at desc limit 1',
  );
  expect(await parks()).toEqual(before);
  // Two parks swap their IDs.
  await run(
    table(
      'id,name,city,lat,long',
      '1,Oak Park,Nahariya,33.0101,35.1101',
      '0,Elm Park,Nahariya,33.0301,35.1101',
    ),
  );
  expect((await parks()).map(({ name, source_ref }) => [name, source_ref])).toEqual([
    ['Oak Park', '1'],
    ['Elm Park', '0'],
    ['Fig Park', '2'],
  ]);
});

test('the same id with another name at another place needs a decision', async () => {
  const header = 'id,name,city,lat,long';
  await run(table(header, '7,Oak Park,Haifa,32.8,35'));
  const [oak] = await parks();
  const other = table(header, '7,Lime Grove,Haifa,32.82,35');
  const undecided = await run(other);
  expect(undecided.report).toMatchObject({ rows: 1, new: 0, changed: 0, needsReview: 1 });
  expect(undecided.notes[1]).toMatch(
    /^ {2}Row 1 \(Lime Grove\) has the id 7 of park \d+ \(Oak Park\), which is \d+ m away and has another name$/,
  );
  expect(await parks()).toEqual([oak]);
  await run(other, { new: ['7'] });
  expect(await parks()).toMatchObject([
    { id: oak?.id, name: 'Oak Park', source_ref: `@32.80000,35.00000#${oak?.id}` },
    { name: 'Lime Grove', source_ref: '7' },
  ]);
  await client.query('truncate public.parks cascade');
  await run(table(header, '7,Oak Park,Haifa,32.8,35'));
  const [again] = await parks();
  const moved = await run(other, { same: { 7: again?.id ?? 0 } });
  expect(moved.odd).toEqual(['1 of 1 known parks would move more than 500 m']);
  expect(await parks()).toMatchObject([{ id: again?.id, name: 'Lime Grove', lat: 32.82 }]);
});

test('a park keeps its page when it is renamed or moves a little', async () => {
  const header = 'id,name,city,lat,long';
  await run(
    table(
      header,
      'a,Oak Park,Haifa,32.8,35',
      'b,Elm Park,Haifa,32.81,35',
      'c,Fig Park,Haifa,32.82,35',
    ),
  );
  const ids = (await parks()).map(({ id }) => id);
  const { report } = await run(
    table(
      header,
      'a,Lime Grove,Haifa,32.8001,35',
      'b,Elm Dog Park,Haifa,32.813,35',
      'x,Fig Park,Haifa,32.821,35',
    ),
  );
  expect(report).toMatchObject({ new: 0, changed: 3, needsReview: 0, odd: [] });
  expect((await parks()).map(({ id, name }) => [id, name])).toEqual([
    [ids[0], 'Lime Grove'],
    [ids[1], 'Elm Dog Park'],
    [ids[2], 'Fig Park'],
  ]);
});

test('one park from two sources becomes one, with the values of both', async () => {
  await run(file('city-one.geojson'));
  const [park] = await parks();
  const osm = JSON.parse(file('osm-one.json').toString()) as {
    elements: { tags: Record<string, string> }[];
  };
  Object.assign(osm.elements[0]?.tags ?? {}, { lit: 'yes' });
  const { report } = await run(osm, { source: undefined, licence: undefined });
  expect(report).toMatchObject({ new: 0, changed: 1, joined: 1, needsReview: 0 });
  const approved = async () => (await parks()).filter(({ status }) => status === 'approved');
  expect(await approved()).toMatchObject([
    { id: park?.id, name: 'Quay dog run', facts: { lit: 'yes' } },
  ]);
  const { rows } = await client.query('select fact_sources from public.parks where id = $1', [
    park?.id,
  ]);
  expect(rows).toEqual([{ fact_sources: { lit: ['OpenStreetMap', null] } }]);
  const again = await run(osm, { source: undefined, licence: undefined });
  expect(again.report).toMatchObject({ new: 0, changed: 0, unchanged: 1 });
  expect((await run(file('city-one.geojson'))).report).toMatchObject({ new: 0, unchanged: 1 });
  expect(await approved()).toHaveLength(1);
  const undone = await client.query<{ counts: object }>(
    'select public.desk_undo_import(id) as counts from private.imports order by imported_at desc limit 1',
  );
  expect(undone.rows).toEqual([{ counts: { removed: 0, restored: 1, kept: 0 } }]);
  expect(await parks()).toEqual([park]);
});

test('a park near one of another source with another name needs a decision', async () => {
  await run(file('city-one.geojson'));
  const [park] = await parks();
  const osm = { source: undefined, licence: undefined };
  const element = {
    type: 'node',
    id: 5,
    lat: 32.9401,
    lon: 35.0902,
    tags: { leisure: 'dog_park', name: 'Harbour' },
  };
  const undecided = await run({ elements: [element] }, osm);
  expect(undecided.report).toMatchObject({ new: 0, needsReview: 1 });
  expect(undecided.notes[1]).toMatch(
    /Row 1 \(Harbour, id node\/5\) is 9 m from park \d+ \(Quay dog run\) of City$/,
  );
  await run({ elements: [element] }, { ...osm, same: { 'node/5': park?.id ?? 0 } });
  expect((await parks()).map(({ status }) => status)).toEqual(['approved', 'rejected']);
  await client.query('truncate public.parks cascade');
  await run(file('city-one.geojson'));
  await run({ elements: [element] }, { ...osm, new: ['node/5'] });
  expect((await parks()).map(({ status }) => status)).toEqual(['approved', 'approved']);
});

test('swapped coordinates are detected on an empty site by its country', async () => {
  const swapped = await run(file('swapped.geojson'));
  expect(swapped.report).toMatchObject({ new: 0, rejected: 2 });
  expect(swapped.notes[0]).toContain(
    'the two look swapped, because 32.8, 35 is in the area of this site (IL)',
  );
  expect((await run(file('right.geojson'))).report).toMatchObject({ new: 2, rejected: 0 });
});

test('swapped parks of an earlier import do not prevent importing the right ones', async () => {
  const site = { countries: ['nz'] };
  await run(file('swapped.geojson'), { site });
  const right = await run(file('right.geojson'), { site });
  expect(right.notes[0]).toContain('"packpark imports undo" removes them');
  // If the site's country is known, a file with coordinates in the right order is imported without a question.
  expect((await run(file('right.geojson'))).report).toMatchObject({ new: 2 });
});

test('parks far from the site are reported as suspicious', async () => {
  const rows = table('name,city,lat,long', 'A,Vienna,48.2,16.37', 'B,Vienna,48.21,16.38');
  expect((await run(rows, { dryRun: true })).odd).toEqual(['2 of 2 parks are outside IL']);
  expect((await run(rows, { dryRun: true, site: { start: { lat: 48, long: 16 } } })).odd).toEqual(
    [],
  );
  expect((await run(rows, { dryRun: true, site: { countries: ['at', 'de'] } })).odd).toEqual([]);
});

test('private and disused parks are skipped', async () => {
  const { report } = await run(file('private.json'));
  expect(report.leftOutRows).toEqual([
    { reason: 'access=private', count: 1, rows: [1] },
    { reason: 'access=no', count: 1, rows: [3] },
  ]);
  expect((await parks()).map(({ facts }) => facts)).toEqual([{ access: 'customers' }]);
  const tags = { leisure: 'dog_park', name: 'X' };
  const at = { type: 'node', lat: 32.8, lon: 35 };
  const others = await run({
    elements: [
      { ...at, id: 1, tags: { ...tags, disused: 'yes' } },
      { ...at, id: 2, tags: { ...tags, abandoned: 'yes' } },
      { ...at, id: 3, tags: { ...tags, construction: 'yes' } },
      { ...at, id: 4, tags: { 'disused:leisure': 'dog_park', name: 'X' } },
      { ...at, id: 5, tags: { ...tags, access: 'permit', disused: 'no' } },
    ],
  });
  expect(others.report).toMatchObject({ new: 1, leftOut: 4 });
});

test('closed and planned parks of a city are left out, whatever the column, and an unknown status is rejected', async () => {
  const statuses = ['Open', 'Closed for season', 'Decommissioned', 'Proposed', 'Verified', ''];
  const named = await run(
    table(
      'name,lat,long,Park_Status,remarks',
      ...statuses.map((status, n) => `${status} park,32.${n + 1},35,${status},`),
      'Remark,32.8,35,open,Fermé pour travaux',
      'Hours,32.9,35,open,closed on Mondays',
    ),
    { skipUnknown: true },
  );
  expect(named.report.leftOutRows.map(({ reason }) => reason)).toEqual([
    'park_status=Closed for season',
    'park_status=Decommissioned',
    'park_status=Proposed',
    'remarks=Fermé pour travaux',
  ]);
  expect(named.report.rejectedRows).toMatchObject([{ row: 5, value: 'Verified' }]);
  expect((await parks()).map(({ name }) => name)).toEqual(['Open park', 'park', 'Hours']);
  const flags = await run(
    table('name,lat,long,active,closed', 'A,31.1,35,Y,N', 'B,31.2,35,N,', 'C,31.3,35,,Y'),
  );
  expect(flags.report).toMatchObject({ new: 1, leftOut: 2 });
  const chosen = await run(table('name,lat,long,status', 'A,31.1,35,Closed for summer'), {
    mapping: { only: { status: ['Closed for summer'] } },
  });
  expect(chosen.report).toMatchObject({ rows: 1, leftOut: 0 });
});

test('joiners are kept in names if they join characters', async () => {
  const name = 'Park 👨‍👩‍👧‍👦🐕‍🦺 ❤️ می‌خواهم';
  await run(table('name,city,lat,long', `${name}\u200d\ufe0f,Hai\u200cfa,32.8,35`));
  const { rows } = await client.query('select distinct name, city from public.park_translations');
  expect(rows).toEqual([{ name, city: 'Haifa' }]);
});

test.each([
  ['ca. 420 m²', 420],
  ['"1,200"', 1200],
  ['5 acres', 20_234.3],
  ['420 m2', 420],
  ['0.5 ha', 5000],
  ['2 דונם', 2000],
  ['420 מ"ר', 420],
  ['٤٢٠ م²', 420],
  ["1'200", 1200],
  ['1 200', 1200],
  ['"1.234,5"', 1234.5],
  ['10000 sq ft', 929],
  ['1.5', 1.5],
])('a size is parsed with its unit and separators: %s', async (written, size) => {
  const { report } = await run(table('name,city,lat,long,size', `A,Haifa,32.8,35,${written}`));
  expect(report.dropped).toEqual([]);
  expect((await parks()).map((park) => park.size)).toEqual([size]);
});

test.each(['צפון', '12 dogs', '1.2.3', '-5', '0', '1,23,456'])(
  'an unrecognised size is dropped and the park is kept: %s',
  async (written) => {
    const { report } = await run(table('name,city,lat,long,area', `A,Haifa,32.8,35,"${written}"`));
    expect(report).toMatchObject({ new: 1, rejected: 0 });
    expect(report.dropped).toMatchObject([{ column: 'size', value: written, rows: [1] }]);
    expect((await parks()).map((park) => park.size)).toEqual([null]);
  },
);

test('in a table with decimal commas, points separate thousands', async () => {
  await run(
    table(
      'name;city;lat;long;size;fence:height',
      'A;Haifa;32,8;35,0;1.100;1,5',
      'B;Haifa;32,9;35,0;12,5;1',
    ),
  );
  expect((await parks()).map((park) => [park.size, park.facts['fence:height']])).toEqual([
    [1100, '1.5'],
    [12.5, '1'],
  ]);
});

test.each(['N/A', '-', 'unknown', 'לא ידוע'])('%s is unknown, in any column', async (value) => {
  const { report } = await run(
    table(
      'name,city,lat,long,size,lit,surface,opening_hours,source_date',
      `A,Haifa,32.8,35,${Array(5).fill(value).join()}`,
    ),
  );
  expect(report).toMatchObject({ new: 1, dropped: [] });
});

test('columns of a table that are named like tags are facts, in upper or lower case', async () => {
  await run(file('barrier-column.csv'));
  expect((await parks()).map(({ facts }) => facts.fenced)).toEqual(['yes', 'no', undefined]);
  const surface = await run(file('surface-case.csv'));
  expect(surface.report).toMatchObject({ new: 2, dropped: [] });
  expect((await run(file('landuse-column.csv'))).report).toMatchObject({
    rows: 2,
    new: 0,
    changed: 2,
  });
});

test('grounds are recognised in three languages, and dropped ones are reported', async () => {
  const { report } = await run(file('materials.csv'));
  expect((await parks()).map(({ materials }) => materials)).toEqual([
    ['GRASS', 'SAND'],
    ['DIRT', 'GRASS'],
    ['GRASS'],
    ['SYNTHETIC_GRASS'],
    ['GRASS'],
    ['GRASS'],
    [],
    [],
    ['SYNTHETIC_GRASS'],
  ]);
  expect(report.dropped.map(({ value }) => value)).toEqual(['woodchips', 'gravel']);
});

test('places are read from WKT, from pairs of coordinates, and from nested values', async () => {
  await run(file('socrata-location.csv'), { site: { countries: ['us'] } });
  expect((await parks()).map(({ address, lat, long }) => [address, lat, long])).toEqual([
    ['', 41.93, -87.68],
    ['', 41.94, -87.68],
    ['3035 N HOYNE AVE', 41.95, -87.68],
  ]);
  await client.query('truncate public.parks cascade');
  const square = '35 32.8, 35.001 32.8, 35.001 32.801, 35 32.801, 35 32.8';
  await run(
    table(
      'name,city,the_geom',
      'A,Haifa,POINT (35 32.7)',
      `B,Haifa,"SRID=4326;MULTIPOLYGON(((${square})))"`,
    ),
  );
  await run(
    table(
      'name,city,Geo Point',
      'C,Haifa,"32.6, 35"',
      'D,Haifa,"{""type"":""Point"",""coordinates"":[35,32.5]}"',
    ),
  );
  await run(
    JSON.stringify([{ name: 'E', city: 'Haifa', location: { latitude: '32.4', longitude: '35' } }]),
  );
  expect((await parks()).map(({ lat, outline }) => [lat, outline?.type])).toEqual([
    [32.7, undefined],
    [32.8005, 'Polygon'],
    [32.6, undefined],
    [32.5, undefined],
    [32.4, undefined],
  ]);
});

test('Esri JSON and GeoJSON with a feature on each line are read', async () => {
  await run(file('esri.json'));
  expect(await parks()).toMatchObject([
    { name: 'Esri park', lat: 32.8, long: 35, source_ref: '1' },
  ]);
  await client.query('truncate public.parks cascade');
  await run(file('lines.geojson'));
  expect((await parks()).map(({ name, lat, long }) => [name, lat, long])).toEqual([
    ['A', 32.8, 35],
    ['B', 32.8, 35.01],
  ]);
});

test('known projected coordinates are converted, and for others the error suggests a command that converts them', async () => {
  await run(file('webmercator.geojson'));
  expect(await parks()).toMatchObject([{ lat: 32.7606, long: 35 }]);
  const rows = table('name,city,x,y', 'Plaza,Jerusalem,222286,631556');
  const unnamed = await run(rows);
  expect(unnamed.notes[0]).toMatch(
    /^Row 1: long is "222286"; expected degrees .*projected; convert them with "ogr2ogr -t_srs EPSG:4326/,
  );
  await run(rows, { crs: 'EPSG:2039' });
  expect((await byName()).get('Plaza')).toMatchObject({ lat: 31.7767, long: 35.2343 });
  const crs = { properties: { name: 'urn:ogc:def:crs:EPSG::31256' } };
  await expect(run({ type: 'FeatureCollection', crs, features: [] })).rejects.toThrow(
    /EPSG::31256.*ogr2ogr/,
  );
});

test.each([
  [2056, [2_600_000, 1_200_000], [46.9511, 7.4386]],
  [2154, [700_000, 6_600_000], [46.5, 3]],
  [2193, [1_748_735, 5_427_916], [-41.2865, 174.7762]],
  [3763, [0, 0], [39.6683, -8.1331]],
  [25_832, [691_607, 5_334_760], [48.1372, 11.5755]],
  [27_700, [651_409.9, 313_177.3], [52.658, 1.7161]],
  [28_992, [155_000, 463_000], [52.1552, 5.3872]],
])('EPSG:%i is converted', async (code, coordinates, [lat, long]) => {
  const crs = { properties: { name: `EPSG:${code}` } };
  const geometry = { type: 'Point', coordinates };
  await run({ crs, features: [{ type: 'Feature', properties: { name: 'A' }, geometry }] });
  const [park] = await parks();
  expect(park?.lat).toBeCloseTo(lat ?? 0, 3);
  expect(park?.long).toBeCloseTo(long ?? 0, 3);
});

test('a geometry without a place is reported', async () => {
  const { report, notes } = await run(file('geoms.geojson'));
  expect(report.rows).toBe(report.new + report.rejected);
  expect(notes[0]).toBe(
    'Row 1: geometry is missing; expected a point or a polygon, or columns lat, long',
  );
  const skeleton = {
    elements: [{ type: 'way', id: 3, nodes: [1, 2], tags: { leisure: 'dog_park' } }],
  };
  expect((await run(skeleton)).notes[0]).toBe(
    'Row 1: geometry is missing; expected coordinates: ask Overpass with "out geom;" (way/3)',
  );
});

test('outlines across the antimeridian and parks on both sides of it are imported', async () => {
  const site = { countries: ['fj', 'nz'] };
  await run(file('antimeridian.geojson'), { site });
  const drawn = await parks();
  expect(drawn.map(({ lat, long }) => [lat, Math.abs(long)])).toEqual([
    [-16.8005, 180],
    [-16.8005, 180],
  ]);
  for (const park of drawn) expect(park.size).toBeCloseTo(11_836, -3);
  await client.query('truncate public.parks cascade');
  await run(file('antimeridian.csv'), { site });
  // Moves the park by about ten metres, across the antimeridian.
  const moved = file('antimeridian.csv')
    .toString()
    .replace('179.99', '-179.99995')
    .replace('-179.99\n', '179.99\n');
  expect((await run(moved, { site })).report.rows).toBe(3);
  expect(
    (await run(table('name,city,lat,long', 'L,Fiji,-17,179.99995'), { site })).report.new,
  ).toBe(1);
  expect(
    (await run(table('name,city,lat,long', 'L,Fiji,-17,-179.99995'), { site })).report,
  ).toMatchObject({
    new: 0,
    changed: 1,
  });
});

test('the coordinates 0, 0 are rejected', async () => {
  const { notes } = await run(table('name,city,lat,long', 'A,Haifa,0,0', 'B,Haifa,32.8,35'));
  expect(notes).toEqual([
    'Row 1: lat, long is "0, 0"; expected the place of the park (0, 0 is in the sea)',
  ]);
});

test.each([
  'gershayim.csv',
  'gershayim-header.csv',
  'empty-col.csv',
  'sep.csv',
  'ragged.csv',
  'multiline.csv',
  'bom-semicolon.csv',
  'utf16-tab.csv',
  'utf16le-nobom.csv',
  'win1255.csv',
])('tables of spreadsheets are read: %s', async (name) => {
  const { report } = await run(file(name), { site: { countries: ['il', 'at'] } });
  expect(report.new).toBeGreaterThan(0);
  expect(report.rows).toBe(report.new + report.rejected);
});

test('missing or extra quotes affect at most one row', async () => {
  const rows = [
    'A,Haifa,32.8,35',
    'חב"ד "ב,Haifa,32.81,35',
    '"א"ב",Haifa,32.82,35',
    '"open,Haifa,32.83,35',
    '"Quoted",Haifa,32.84,35',
    'Z,Haifa,32.85,35',
  ];
  const { report } = await run(table('name,city,lat,long', ...rows));
  expect(report).toMatchObject({ rows: 6, new: 6 });
  expect((await parks()).map(({ name }) => name)).toEqual([
    'A',
    'חב"ד "ב',
    'א"ב',
    'open',
    'Quoted',
    'Z',
  ]);
});

test('HTML in names is decoded, and the city is not repeated in the address', async () => {
  await run(file('names.csv'));
  expect([...(await byName()).keys()]).toEqual([
    'קפה & כלבים',
    'Dogs & Co Park',
    '=HYPERLINK("http://x")',
    'evil',
    'Park 👨‍👩‍👧‍👦🐕‍🦺',
  ]);
  await client.query('truncate public.parks cascade');
  const addresses = [
    '"Sea 1, Haifa"',
    '"Haifa, Sea 1"',
    '"Sea 1, 31000 HAIFA"',
    'Sea 1 Haifa',
    '"Sea 1, Haifa, Israel"',
    'Haifa',
  ];
  await run(
    table(
      'name,city,address,lat,long',
      ...addresses.map((address, n) => `P${n},Haifa,${address},32.8${n},35`),
    ),
  );
  expect((await parks()).map(({ address }) => address)).toEqual([
    'Sea 1',
    'Sea 1',
    'Sea 1',
    'Sea 1',
    'Sea 1, Israel',
    '',
  ]);
});

test('invalid opening hours are dropped', async () => {
  const hours = ['24/7', 'Mo-Fr 06:00-22:00', 'always', '6am to 10pm'];
  const { report } = await run(
    table(
      'name,city,lat,long,opening_hours',
      ...hours.map((one, n) => `P${n},Haifa,32.8${n},35,${one}`),
    ),
  );
  expect((await parks()).map(({ facts }) => facts.opening_hours)).toEqual([
    '24/7',
    'Mo-Fr 06:00-22:00',
    undefined,
    undefined,
  ]);
  expect(report.dropped.map(({ value }) => value)).toEqual(['always', '6am to 10pm']);
});

test('a mapping file can ignore a column', async () => {
  const text = table('name,city,lat,long,lit,extra', 'A,Haifa,32.8,35,no,7');
  await run(text, { mapping: { ignore: ['lit', 'extra'] } });
  expect((await parks()).map(({ facts }) => facts)).toEqual([{}]);
});

test.each(['area_ha', 'Area (ha)', 'hectares'])(
  'the unit may be part of the column’s name: %s',
  async (column) => {
    await run(table(`name,city,lat,long,${column}`, 'A,Haifa,32.8,35,0.5'));
    expect((await parks()).map(({ size }) => size)).toEqual([5000]);
  },
);

test('every row of every file has one outcome', async () => {
  for (const name of [
    'dup-ids.csv',
    'excel-mangled.csv',
    'bowtie.geojson',
    'long-name.csv',
    'same-place.csv',
    'search.csv',
    'size-unit.csv',
    'area-district.csv',
    'empty.geojson',
    'three-towns.csv',
  ]) {
    const { report } = await run(file(name));
    expect([name, report.rows]).toEqual([
      name,
      report.new +
        report.changed +
        report.unchanged +
        report.leftOut +
        report.rejected +
        report.needsReview,
    ]);
  }
});

test('the map starts at the park with the most parks around it', async () => {
  const place = () => importedPlace(client as unknown as Parameters<typeof importedPlace>[0]);
  expect(await place()).toBeNull();
  await run(file('three-towns.csv'));
  const start = await place();
  expect((await parks()).map(({ lat, long }) => [lat, long])).toContainEqual([
    start?.lat,
    start?.long,
  ]);
  await run(
    table(
      'name,city,lat,long',
      'Yarkon C,Tel Aviv,32.0801,34.7805',
      'Yarkon D,Tel Aviv,32.09,34.79',
    ),
  );
  const busier = await place();
  expect(busier?.lat).toBeCloseTo(32.08, 1);
});
