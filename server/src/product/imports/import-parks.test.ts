// Tests imports into a real database: the same rules for three file formats, repeated imports, and corrections.
import { beforeEach, expect, test } from 'vitest';
import { runImport, type RunOptions } from '../../../../testing/run-import.ts';
import { connectTo, createTestDatabase } from '../../../../testing/test-host.ts';
import { cleanName } from '#/product/imports/clean-name.ts';
import { parseMapping } from '#/product/imports/mapping-file.ts';

const connection = await createTestDatabase();
const client = await connectTo(connection);
beforeEach(() =>
  client.query(
    'truncate public.parks, private.imports cascade; delete from private.park_list_changes',
  ),
);

const run = (content: Parameters<typeof runImport>[1], options: RunOptions = {}) =>
  runImport(client, content, options);

async function parks() {
  const { rows } = await client.query<Record<string, unknown>>(
    `select p.id::integer, p.source, p.source_ref, p.status, p.licence, p.source_date::text, round(p.lat::numeric, 4)::float as lat,
       round(p.long::numeric, 4)::float as long, p.size::float, p.shade::float, p.materials::text[], p.has_facilities,
       p.outline ->> 'type' as outline,
       (select json_object_agg(t.language, json_build_array(t.name, t.city, t.address)) from public.park_translations t where t.park_id = p.id) as texts
     from public.parks p order by p.source_ref`,
  );
  return rows;
}

const stale = async () =>
  (await client.query<{ stale: string[] | null }>('select public.stale_park_list() as stale'))
    .rows[0]?.stale !== null;
const published = () => client.query('delete from private.park_list_changes');

const SQUARE = [
  [34.9, 32],
  [34.901, 32],
  [34.901, 32.001],
  [34.9, 32.001],
  [34.9, 32],
];
const TAGS = {
  leisure: 'dog_park',
  name: 'גינת מאיר',
  'name:en': 'Meir Garden',
  'name:ar': 'حديقة مئير',
  'addr:city': 'תל אביב-יפו',
  'addr:street': 'קינג ג׳ורג׳',
  'addr:housenumber': '35',
  surface: 'sand;artificial_turf',
  drinking_water: 'yes',
  source: 'survey',
};
const UNNAMED = { leisure: 'dog_park', fixme: 'name?' };
const VET = { amenity: 'veterinary', name: 'Dr. Rex' };
const overpass = {
  osm3s: { timestamp_osm_base: '2026-01-31T00:00:00Z' },
  elements: [
    { type: 'node', id: 1, lat: 32.1, lon: 34.8, tags: TAGS },
    { type: 'way', id: 2, geometry: SQUARE.map(([lon, lat]) => ({ lat, lon })), tags: UNNAMED },
    { type: 'node', id: 3, lat: 32, lon: 34.9 },
    { type: 'node', id: 4, lat: 32, lon: 34.9, tags: VET },
  ],
};
const feature = (properties: object | null, geometry: object | null, id?: string) => ({
  type: 'Feature',
  id,
  properties,
  geometry,
});
const point = (long: number, lat: number) => ({ type: 'Point', coordinates: [long, lat] });
const geoJson = {
  type: 'FeatureCollection',
  features: [
    feature({ '@id': 'node/1', ...TAGS }, point(34.8, 32.1), 'node/1'),
    feature(UNNAMED, { type: 'Polygon', coordinates: [SQUARE] }, 'way/2'),
    feature({ ...VET, '@id': 'node/4' }, point(34.9, 32), 'node/4'),
  ],
};
const cell = (value = '') => `"${value.replaceAll('"', '""')}"`;
const KEYS = [...new Set([...Object.keys(TAGS), ...Object.keys(VET)])];
const csvRow = (id: string, type: string, lat: string, lon: string, tags: Record<string, string>) =>
  [id, type, lat, lon, ...KEYS.map((key) => cell(tags[key]))].join('\t');
const csv = [
  ['@id', '@type', '@lat', '@lon', ...KEYS].join('\t'),
  csvRow('1', 'node', '32.1', '34.8', TAGS),
  csvRow('2', 'way', '32.0005', '34.9005', { leisure: 'dog_park' }),
  csvRow('4', 'node', '32', '34.9', VET),
].join('\n');

const OF_FILE = { 'Overpass JSON': overpass, GeoJSON: geoJson, CSV: csv };
test.each(Object.entries(OF_FILE))(
  'features of OpenStreetMap have the same result in every format: %s',
  async (kind, content) => {
    const others = kind === 'Overpass JSON' ? 2 : 1;
    const dry = await run(content, { city: 'חולון', dryRun: true });
    expect(dry.result).toBe(
      `Would import: 2 new, 0 changed, 0 unchanged, ${others} left out, 0 rejected, 0 to be decided. Nothing was changed.`,
    );
    expect(await parks()).toEqual([]);
    expect(await stale()).toBe(false);

    const done = await run(content, { city: 'חולון' });
    expect(done.report).toMatchObject({ new: 2, changed: 0, leftOut: others, rejected: 0 });
    expect(done.notes).toEqual([
      `Left out ${others} rows:`,
      // Overpass JSON also contains a corner of an outline, which has no tags.
      ...(kind === 'Overpass JSON' ? ['  1 × no tags (row 3)'] : []),
      expect.stringMatching(/^ {2}1 × amenity=veterinary \(row [34]\)$/) as string,
      'Parks without a name, named after their street or "Dog park": 1.',
    ]);
    expect(await stale()).toBe(true);
    const drawn = kind !== 'CSV';
    expect(await parks()).toMatchObject([
      {
        source: 'OpenStreetMap',
        source_ref: 'node/1',
        licence: 'ODbL 1.0',
        source_date: kind === 'Overpass JSON' ? '2026-01-31' : null,
        lat: 32.1,
        long: 34.8,
        size: null,
        materials: ['SAND', 'SYNTHETIC_GRASS'],
        has_facilities: true,
        outline: null,
        texts: {
          en: ['Meir Garden', 'תל אביב-יפו', 'קינג ג׳ורג׳ 35'],
          he: ['גינת מאיר', 'תל אביב-יפו', 'קינג ג׳ורג׳ 35'],
          ar: ['حديقة مئير', 'תל אביב-יפו', 'קינג ג׳ורג׳ 35'],
        },
      },
      {
        source_ref: 'way/2',
        lat: 32.0005,
        long: 34.9005,
        size: drawn ? (expect.closeTo(10485, -2) as number) : null,
        outline: drawn ? 'Polygon' : null,
        materials: [],
        texts: {
          en: ['Dog park', 'חולון', ''],
          he: ['גינת כלבים', 'חולון', ''],
          ar: ['حديقة كلاب', 'חולון', ''],
        },
      },
    ]);

    await published();
    const again = await run(content, { city: 'חולון' });
    expect(again.report).toMatchObject({ new: 0, changed: 0, unchanged: 2 });
    expect(await stale()).toBe(false);
  },
);

const CITY = { source: 'City of Haifa', licence: 'CC BY 4.0' };

test('the operator’s source and licence replace those of the file', async () => {
  await run('name,city,lat,lng,source,licence\nA,Haifa,32.8,34.9,Somebody,None', CITY);
  expect(await parks()).toMatchObject([CITY]);
});

test('the city is removed from the address, and tags of addresses are read in plain tables too', async () => {
  await run(
    `name;city;address;addr:street;addr:housenumber;surface;Latitude;LON
A;Haifa;"Sea 1, Haifa";;;;32,81;34,91
B;Haifa;Haifa;;;grass;32,82;34,92
C;Haifa;;Herzl;5;;32,83;34,93`,
    CITY,
  );
  expect((await parks()).map(({ lat, texts, materials }) => [lat, texts, materials])).toEqual([
    [32.81, { en: ['A', 'Haifa', 'Sea 1'] }, []],
    [32.82, { en: ['B', 'Haifa', ''] }, ['GRASS']],
    [32.83, { en: ['C', 'Haifa', 'Herzl 5'] }, []],
  ]);
});

test('rejected rows are listed with their numbers, and the others are imported', async () => {
  const text = `source_ref,name,name_he,city,address,lat,long,size,materials,has_facilities
a,Sea Run,ריצת הים,Haifa,Sea 1,32.8,34.9,1200,SAND;GRASS,yes
b,No Place,,Haifa,Sea 2,,34.9,,,
c,Far Out,,Haifa,Sea 3,32.8,200,,,
d,"Quoted, ""Park""",,Haifa,Sea 4,32.81,34.91,,LAVA,
a,Twice,,Haifa,Sea 5,32.8,34.9,,,
e,Last,,Haifa,Sea 6,32.82,34.92,,,no`;
  const done = await run(text, { ...CITY, status: 'pending' });
  expect(done.result).toBe(
    'Imported: 3 new, 0 changed, 0 unchanged, 0 left out, 3 rejected, 0 to be decided.',
  );
  expect(done.notes).toEqual([
    'Row 2: lat is missing; expected degrees from -90 to 90',
    'Row 3: long is "200"; expected degrees from -180 to 180',
    'Row 5: source_ref is "a"; expected another ID than row 1 has',
    'Values that are not understood; their parks are imported without them:',
    '  materials "lava" (row 4); expected SAND, DIRT, GRASS, SYNTHETIC_GRASS',
  ]);
  const common = { source_ref: 'a', status: 'pending', has_facilities: true };
  expect(await parks()).toMatchObject([
    { ...common, size: 1200, materials: ['GRASS', 'SAND'] },
    { source_ref: 'd', materials: [], texts: { en: ['Quoted, "Park"', 'Haifa', 'Sea 4'] } },
    { ...common, source_ref: 'e', has_facilities: false },
  ]);
  const none = await run({ features: [null, { type: 'Feature' }, 'x'] }, { ...CITY, city: 'Acre' });
  expect(none.report).toMatchObject({ rows: 3, new: 0, rejected: 3 });
  expect(none.notes).toEqual([
    'Row 1: feature is "null"; expected a GeoJSON feature',
    'Row 2: geometry is missing; expected a point or a polygon, or columns lat, long',
    'Row 3: feature is "x"; expected a GeoJSON feature',
  ]);
  expect((await run('name,city,lat,long\nA,B,32,34')).notes).toEqual([
    'Row 1: source is missing; expected a name, in a column or as --source for all rows',
  ]);
});

test.each([
  // Windows-1255 and Windows-1256 are the encodings of CSV files that Excel writes in Israel.
  ['windows-1255', [0xf9, 0xe3, 0xe4], 'שדה'],
  ['windows-1256', [0xcd, 0xcf, 0xed, 0xde, 0xc9], 'حديقة'],
])('%s is converted', async (encoding, bytes, name) => {
  const [head, tail] = [Buffer.from('name,city,lat,long\n'), Buffer.from(',Haifa,32.8,34.9\n')];
  const done = await run(Buffer.concat([head, Buffer.from(bytes), tail]), CITY);
  expect(done.notes).toEqual([`The file is not UTF-8; it is read as ${encoding}.`]);
  expect(JSON.stringify(await parks())).toContain(name);
});

test('names lose characters that change the direction of text, and invisible ones', () => {
  expect(cleanName('Dog\u202e kraP\u2066\u200b')).toBe('Dog kraP');
  expect(cleanName('Haifa\u2028')).toBe('Haifa');
});

test('an unrecognised encoding must be specified', async () => {
  const latin = Buffer.from('name,city,lat,long\nCafé à l’œuf,Haïfa,32.8,34.9\n', 'latin1');
  await expect(run(latin, CITY)).rejects.toThrow(/save it as UTF-8, or name its encoding/);
  await run(latin, { ...CITY, encoding: 'windows-1252' });
  expect(JSON.stringify(await parks())).toContain('Café');
});

test.each([
  [Buffer.from([0, 0, 0, 13, 10, 9, ...Buffer.from('OSMHeader')]), /\.pbf.*osmium/],
  [Buffer.from('PK\x03\x04[Content_Types].xml'), /Excel.*save the table as CSV/],
  [Buffer.from([0x1f, 0x8b, 8]), /gzip.*gunzip/],
  [Buffer.from('<?xml version="1.0"?>\n<kml>'), /KML.*ogr2ogr/],
])('the error names an unsupported format: %s', async (content, message) => {
  await expect(run(content, CITY)).rejects.toThrow(message);
});

test('swapped coordinates are detected by the known parks', async () => {
  const header = 'name,city,lat,long';
  await run(`${header}\nA,Haifa,32.8,34.9`, CITY);
  const done = await run(`${header}\nB,Haifa,34.91,32.81\nC,Eilat,29.55,34.95`, CITY);
  expect(done.report).toMatchObject({ new: 1, rejected: 1 });
  expect(done.notes[0]).toMatch(
    /^Row 1: lat, long is "34\.91, 32\.81"; expected latitude before longitude: the two look swapped/,
  );
});

test('a file of an unknown format is rejected', async () => {
  await expect(run('{"parks": []}')).rejects.toThrow(/^The file is neither Overpass JSON/);
  await expect(run('{"elements": [')).rejects.toThrow(/^The file is not valid JSON/);
});

const row = (ref: string, lat: number, more = '') => `${ref},P${lat},Haifa,${lat},34.9,${more}`;
const table = (...rows: string[]) => ['source_ref,name,city,lat,long,size', ...rows].join('\n');

test('a second import: recognises a park that moved, was drawn again, or whose source has another spelling', async () => {
  await run(table(row('', 32.8), row('b', 32.81), row('', 32.82)), CITY);
  const ids = async () => (await parks()).map(({ id }) => id).sort();
  const before = await ids();
  // The parks have moved 5 metres to the north and have new IDs. The first import spells the source similarly; the second uses
  // another name.
  const moved = table(row('', 32.800045), row('b', 32.81), row('c', 32.82));
  for (const source of ['city of haifa', 'Haifa municipality']) {
    const { result } = await run(moved, { ...CITY, source });
    expect(result).toBe(
      'Imported: 0 new, 3 changed, 0 unchanged, 0 left out, 0 rejected, 0 to be decided.',
    );
    expect(await ids()).toEqual(before);
  }
});

test('a second import: lists parks of the source that the file lacks, within the area of the file', async () => {
  await run(table(row('a', 32.8), row('b', 32.81), row('c', 32.82), row('far', 33)), CITY);
  const fewer = await run(table(row('a', 32.8), row('c', 32.82)), CITY);
  expect(fewer.notes).toEqual([
    'These parks of the same source are missing in the file; they are not changed:',
    expect.stringMatching(/^ {2}Park \d+ \(P32\.81\), b$/) as string,
  ]);
  expect(await parks()).toHaveLength(4);
});

test('a second import: keeps corrected values, takes new values of the source, and lists conflicts', async () => {
  const earlier = table(row('a', 32.8, '100'), row('b', 32.81, '200'), row('c', 32.82));
  expect((await run(earlier, CITY)).notes).toEqual([]);
  await client.query(
    `update public.parks set size = 150, shade = 4 where source_ref in ('a', 'b')`,
  );
  await client.query(`update public.parks set status = 'rejected' where source_ref = 'c'`);
  await client.query(
    `update public.park_translations t set name = 'Corrected' from public.parks p where p.id = t.park_id and source_ref = 'a'`,
  );
  const file = table(row('a', 32.8, '100'), row('b', 32.81, '250'), row('c', 32.82, '300'));
  const done = await run(file, CITY);
  expect(done.result).toBe(
    'Imported: 0 new, 1 changed, 2 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
  const conflict = [
    'The source has a new value where users corrected it; the corrected value stays:',
    expect.stringMatching(/^ {2}Park \d+ \(P32\.81\): size is 150\.0 here, 250\.0 in the file$/),
  ];
  expect(done.notes).toEqual(conflict);
  expect(await parks()).toMatchObject([
    { size: 150, shade: 4, texts: { en: ['Corrected', 'Haifa', ''] } },
    { size: 150, shade: 4 },
    { size: 300, status: 'rejected' },
  ]);
  // The conflict is listed until a moderator decides it. After that, new values of the source are applied again.
  expect((await run(file, CITY)).notes).toEqual(conflict);
  await client.query(`update public.parks set size = 250 where source_ref = 'b'`);
  expect((await run(file, CITY)).notes).toEqual([]);
  const { result, notes } = await run(file.replace('250', '260'), CITY);
  expect([result, notes]).toEqual([
    'Imported: 0 new, 1 changed, 2 unchanged, 0 left out, 0 rejected, 0 to be decided.',
    [],
  ]);
});

const header = 'source_ref,name,name_en,city,lat,long,size,lit,fenced,bench,shade';
const undo = async () => {
  const { rows } = await client.query<{ counts: unknown }>(
    `select public.desk_undo_import(id) as counts from private.imports
       where undone_at is null order by imported_at desc limit 1`,
  );
  return rows[0]?.counts;
};
const everything = async () => {
  const { rows } = await client.query(
    `select private.import_snapshot(id) as snapshot from public.parks order by id`,
  );
  return rows;
};
const file = (...rows: string[]) => [header, ...rows].join('\n');

test('an import is undone: added parks are removed, changed parks are restored, and the import can be repeated', async () => {
  const first = file('a,גינה,,Haifa,32.8,34.9,100,no,,,', 'b,B,,Haifa,32.81,34.9,200,,,,');
  const second = file(
    'a,גינה,Garden,Haifa,32.8001,34.9,150,yes,yes,,3',
    'b,B,,Haifa,32.81,34.9,200,,,,',
    'c,C,,Haifa,32.82,34.9,300,,,,',
  );
  await run(first, CITY);
  const before = await everything();
  await run(second, CITY);
  const after = await everything();
  expect(await undo()).toEqual({ removed: 1, restored: 1, kept: 0 });
  expect(await everything()).toEqual(before);
  expect(await stale()).toBe(true);
  expect((await run(second, CITY)).result).toContain('1 new, 1 changed, 1 unchanged');
  expect(await everything()).toEqual(after);
  await undo();
  expect(await undo()).toEqual({ removed: 2, restored: 0, kept: 0 });
  expect(await parks()).toEqual([]);
  expect(await undo()).toBeUndefined();
});

test('an import is undone: parks that users have changed or used since then are kept', async () => {
  await run(file('a,A,,Haifa,32.8,34.9,100,no,no,,'), CITY);
  const added = ['b', 'c', 'd'].map((ref, n) => `${ref},${ref},,Haifa,32.8${n + 1},34.9,,,,,`);
  await run(file('a,A2,,Haifa,32.8,34.9,150,yes,yes,,4', ...added), CITY);
  await client.query(`
      insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
        values ('00000000-0000-4000-8000-000000000001', 'a@example.test', now(), '{"full_name": "Dana", "age_confirmed": true}');
      update public.parks set size = 170, facts = facts || '{"bench": "yes", "lit": "no"}' where source_ref = 'a';
      insert into public.favourite_parks (user_id, park_id)
        select '00000000-0000-4000-8000-000000000001', id from public.parks where source_ref = 'b';
      update public.park_translations set name = 'Corrected' where name = 'c'`);
  expect(await undo()).toEqual({ removed: 1, restored: 1, kept: 3 });
  const { rows } = await client.query(
    "select source_ref, size::float, shade, facts, private.park_name(id, 'en') as name from public.parks order by source_ref",
  );
  const facts = { lit: 'no', fenced: 'no', bench: 'yes' };
  expect(rows).toMatchObject([
    { source_ref: 'a', size: 170, shade: null, facts, name: 'A' },
    { source_ref: 'b' },
    { source_ref: 'c', name: 'Corrected' },
  ]);
  expect(rows[0]?.facts).toEqual(facts);
});

test('an import is undone: an earlier import can be undone only after a later one of the same parks', async () => {
  await run(file('a,A,,Haifa,32.8,34.9,100,,,,'), CITY);
  await run(file('a,A,,Haifa,32.8,34.9,150,,,,'), CITY);
  const first =
    'select public.desk_undo_import(id) from private.imports order by imported_at limit 1';
  const rejection = { hint: expect.stringContaining('undo that one first') };
  await expect(client.query(first)).rejects.toMatchObject(rejection);
  await undo();
  expect(await undo()).toEqual({ removed: 1, restored: 0, kept: 0 });
});

const of = { ...CITY, city: 'Haifa' };

test.each([
  'שם הגינה,כתובת,קו רוחב,קו אורך\nגינת מאיר,דיזנגוף 5,32.1,34.8',
  'الاسم,العنوان,خط العرض,خط الطول\nגינת מאיר,דיזנגוף 5,32.1,34.8',
  'Park Name,Street,Latitude,Longitude\nגינת מאיר,דיזנגוף 5,32.1,34.8',
])('column names in three languages are recognised: %s', async (text) => {
  await run(text, of);
  expect((await parks())[0]?.texts).toMatchObject({ he: ['גינת מאיר', 'Haifa', 'דיזנגוף 5'] });
});

test('a table without a column for the name is rejected, and its columns are listed', async () => {
  await expect(run('Bezeichnung,lat,long\nA,32.1,34.8', of)).rejects.toThrow(
    /^No column of the table is known as the name of a park; it has: Bezeichnung, lat, long\./,
  );
  const features = [
    feature({ Bezeichnung: 'A' }, point(34.8, 32.1)),
    feature({ Typ: 'x' }, point(34.9, 32.2)),
  ];
  await expect(run({ features }, of)).rejects.toThrow(
    /^No column of the table is known as the name of a park; it has: Bezeichnung, Typ\./,
  );
  expect(await parks()).toEqual([]);
  const mapping = { columns: { Bezeichnung: 'name' } };
  await run('Bezeichnung,lat,long\nA,32.1,34.8', { ...of, mapping });
  expect(await parks()).toHaveLength(1);
});

test('a table without a mapped column, or with an unknown one, is rejected', async () => {
  const text = 'name,lat,long,leisure,flurstueck\nA,32.1,34.8,,7';
  await expect(run(text, { ...of, mapping: { columns: { Nmae: 'name' } } })).rejects.toThrow(
    /^The mapping file names the column "Nmae", which the table lacks; it has: name, lat, /,
  );
  await expect(run(text, of)).rejects.toThrow(
    /^The meaning of these columns is unknown: flurstueck\. Name it in a mapping file/,
  );
  expect((await run(text, { ...of, skipUnknown: true })).notes).toEqual([
    'Columns that are not read:',
    '  flurstueck',
  ]);
});

test('a dry run lists the first ten parks, and parks without a name by their street', async () => {
  const rows = Array.from({ length: 12 }, (_, n) => `,${n + 1} Oak St,32.${n + 10},34.8,${n + 50}`);
  const { notes } = await run(['name,address,lat,long,size', ...rows].join('\n'), {
    ...of,
    dryRun: true,
  });
  expect(notes).toHaveLength(12);
  expect(notes[1]).toContain('Row 1: ');
  expect(notes[1]).toContain('en: Dog park, Oak St, 1 Oak St');
  expect(notes[1]).toContain('(32.1, 34.8; size 50)');
  expect(notes.at(-1)).toBe('Parks without a name, named after their street or "Dog park": 12.');
  expect(await parks()).toEqual([]);
});

test('a mapping file maps columns and values of open data', async () => {
  const text = `מזהה,שם הגינה,סוג,משטח,קו רוחב,קו אורך
7,גינת הים,גינת כלבים,דשא,32.8,34.9
8,גן שעשועים,גן משחקים,חול,32.81,34.9`;
  const mapping = {
    columns: { מזהה: 'source_ref', 'שם הגינה': 'name_he', משטח: 'materials' },
    values: { materials: { דשא: 'GRASS', חול: 'SAND' } },
    fixed: { city_he: 'חיפה', city_en: 'Haifa' },
    only: { סוג: ['גינת כלבים'] },
  };
  const done = await run(text, { ...CITY, mapping });
  expect(done.report).toMatchObject({ new: 1, leftOut: 1 });
  expect(done.notes).toEqual(['Left out 1 rows:', '  1 × not wanted by the mapping file (row 2)']);
  const texts = { he: ['גינת הים', 'חיפה', ''], en: ['גינת הים', 'Haifa', ''] };
  expect(await parks()).toMatchObject([{ source_ref: '7', materials: ['GRASS'], texts }]);
  expect(() => parseMapping('{"columns": {"X": "longitude"}}')).toThrow(
    /^The mapping file is wrong at columns\.X: "longitude" is not a column of Packpark: use /,
  );
});

const addition = (status: string) =>
  `with added as (insert into public.parks (lat, long, status) values (32, 34, '${status}') returning id)
  insert into public.park_translations (park_id, language, name, city, address) select id, 'en', 'A', 'B', '' from added`;

test('users can add parks while an import is written; a second import is rejected', async () => {
  const importing = await connectTo(connection);
  await importing.query('begin');
  await importing.query(addition('approved'));
  await client.query(`set statement_timeout = '5s'`);
  await client.query(addition('pending'));
  await client.query('reset statement_timeout');
  await importing.query('commit');
  await importing.query('select pg_advisory_lock(7276003)');
  await expect(run('name,city,lat,long\nA,B,32,34', CITY)).rejects.toThrow(
    'Another import is running on this database: wait until it is done.',
  );
  await importing.end();
});

test('a few thousand parks are imported with one change of the published list', async () => {
  const line = (_: unknown, n: number) => `${n},Park ${n},Haifa,${30 + n / 1000},${34 + n / 2000}`;
  const rows = Array.from({ length: 3000 }, line);
  const content = ['source_ref,name,city,lat,long', ...rows].join('\n');
  expect((await run(content, CITY)).result).toBe(
    'Imported: 3000 new, 0 changed, 0 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
  const { rows: changes } = await client.query('select * from private.park_list_changes');
  expect(changes).toHaveLength(1);
  // The import has updated the statistics, so PostgreSQL plans later queries for the new number of parks.
  const { rows: known } = await client.query(
    `select from pg_class where oid = 'public.parks'::regclass and reltuples >= 3000`,
  );
  expect(known).toHaveLength(1);
  expect((await run(content, { ...CITY, dryRun: true })).result).toBe(
    'Would import: 0 new, 0 changed, 3000 unchanged, 0 left out, 0 rejected, 0 to be decided. Nothing was changed.',
  );
});
