// Tests imports with random and damaged files: an import never crashes, never shows a message of the database, and reports every
// row. `npm test` imports 300 files. IMPORT_FILES=20000 imports more, and IMPORT_SEED repeats a run.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runImport } from '../../../../testing/run-import.ts';
import { connectTo, createTestDatabase } from '../../../../testing/test-host.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { StartError } from '#/host/lib/start-error.ts';

const FILES = Number(process.env.IMPORT_FILES ?? 300);
const SEED = Number(process.env.IMPORT_SEED ?? 20_261_128);
const MAX_HEAP_GROWTH = 200 * 2 ** 20;

/** The random generator Mulberry32, which is small and the same on every machine. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
  };
}
type Random = ReturnType<typeof createRandom>;

const folder = path.join(ROOT, 'testing/imports');
const samples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => readFileSync(path.join(folder, name)));
const COLUMNS =
  'name name_he name_ar city address lat long lon geometry the_geom location size area_ha shade materials has_facilities source source_ref id licence source_date fenced fence:height lit opening_hours dog:conditional access disused leisure amenity barrier surface shelter_distance @id osm_id __proto__ constructor'.split(
    ' ',
  );
const VALUES = [
  ...[
    '',
    ' ',
    '-',
    'N/A',
    'yes',
    'לא',
    'نعم',
    '0',
    '1',
    '-1',
    '1e999',
    '1e-7',
    'NaN',
    'Infinity',
    '1,234.5',
    '1.234,5',
  ],
  ...[
    '35.0',
    '32.8',
    '32,8',
    '91',
    '-181',
    '200000',
    '0000-00-00',
    '2026-02-31',
    '31/01/2026',
    '9999999999999',
  ],
  ...[
    '420 m²',
    '5 acres',
    '5\'10"',
    'SAND;GRASS',
    'Mo-Fr 06:00-22:00',
    '24/7',
    'dog_park',
    'private',
    'way/17',
    'n5',
  ],
  ...[
    'POINT (35 32.8)',
    'POLYGON((35 32,35.1 32,35.1 32.1,35 32))',
    'POINT EMPTY',
    'SRID=1;POINT(1 1)',
    '(41.9, -87.6)',
  ],
  ...[
    '{"type":"Point","coordinates":[35,32.8]}',
    '{"coordinates":',
    '\u0000',
    '\ud83d',
    '\u202e',
    '👨‍👩‍👧',
    '\u200d',
    '"',
    '""',
    "'",
  ],
  ...[
    '\\N',
    '\\.',
    "'; drop table parks; --",
    '<b>x</b>',
    '&#0;',
    '&#xd800;',
    '&#1114112;',
    'x'.repeat(70_000),
    'ß',
    '٣٢٫٨',
    '²',
  ],
];
const JSON_VALUES = [...VALUES, null, true, 0, -0, 1e308, [], {}, [[]], { a: [1] }];

function coordinates(random: Random, depth: number): unknown {
  if (depth === 0)
    return Array.from({ length: random.pick([0, 1, 2, 2, 2, 3]) }, () =>
      random.pick<unknown>([
        35,
        32.8,
        35.001,
        32.801,
        180,
        -180,
        181,
        0,
        1e9,
        null,
        'x',
        Number.NaN,
      ]),
    );
  return Array.from({ length: random.pick([0, 1, 3, 4, 5]) }, () => coordinates(random, depth - 1));
}

function geometry(random: Random): unknown {
  const type = random.pick([
    'Point',
    'MultiPoint',
    'Polygon',
    'MultiPolygon',
    'LineString',
    'GeometryCollection',
    'X',
    null,
  ]);
  return random.pick<unknown>([
    null,
    { type, coordinates: coordinates(random, random.below(4)) },
    { type, geometries: [{ type: 'Point', coordinates: [35, 32.8] }, null] },
    { type: 'Point', coordinates: [35 + random.below(1000) / 1e5, 32.8] },
  ]);
}

const objectOf = (random: Random, values: readonly unknown[]) =>
  Object.fromEntries(
    Array.from({ length: random.below(10) }, () => [random.pick(COLUMNS), random.pick(values)]),
  );

function geoJson(random: Random): string {
  const features = Array.from({ length: random.below(5) }, () =>
    random.pick<unknown>([
      null,
      7,
      {
        type: 'Feature',
        id: random.pick(JSON_VALUES),
        properties: objectOf(random, JSON_VALUES),
        geometry: geometry(random),
      },
      {
        attributes: objectOf(random, JSON_VALUES),
        geometry: { x: 35, y: 32.8, rings: random.pick<unknown>([undefined, [[[1]]], 5]) },
      },
    ]),
  );
  const crs = random.pick<unknown>([
    undefined,
    null,
    { properties: { name: 'EPSG:2039' } },
    { properties: 5 },
  ]);
  return JSON.stringify(
    random.pick<unknown>([
      { type: 'FeatureCollection', crs, features },
      features,
      features[0] ?? {},
    ]),
  );
}

function overpass(random: Random): string {
  const points = () =>
    random.pick<unknown>([
      null,
      [],
      [null, { lat: 32, lon: 35 }],
      [
        { lat: 32, lon: 35 },
        { lat: 32.1, lon: 35 },
        { lat: 32.1, lon: 35.1 },
        { lat: 32, lon: 35 },
      ],
    ]);
  const elements = Array.from({ length: random.below(5) }, () => ({
    type: random.pick(['node', 'way', 'relation', 'x']),
    id: random.below(5),
    ...random.pick<object>([
      { lat: 32.8, lon: 35 },
      { center: { lat: 32.8, lon: 35 } },
      { bounds: {} },
      {},
    ]),
    geometry: points(),
    members: random.pick<unknown>([
      undefined,
      null,
      [null],
      [
        { type: 'way', role: random.pick(['', 'outer', 'inner', 'x']), geometry: points() },
        { type: 'node', lat: 32, lon: 35 },
      ],
    ]),
    tags: random.pick<unknown>([
      null,
      {},
      { leisure: 'dog_park', ...objectOf(random, VALUES) },
      objectOf(random, JSON_VALUES),
    ]),
  }));
  return JSON.stringify({
    osm3s: random.pick<unknown>([null, { timestamp_osm_base: random.pick(VALUES) }]),
    elements,
  });
}

function table(random: Random): string {
  const separator = random.pick([',', ';', '\t', '|']);
  const header = [
    'name',
    'city',
    ...Array.from({ length: 1 + random.below(8) }, () => random.pick(COLUMNS)),
    'lat',
    'long',
  ];
  const cell = () => {
    const value = random.pick(VALUES);
    return random.below(3) === 0 ? `"${value}"` : value;
  };
  const rows = Array.from({ length: random.below(6) }, () => {
    const cells = header.map(cell);
    if (random.below(2)) cells.splice(-2, 2, '32.8', `35.0${random.below(1000)}`);
    return cells.slice(0, header.length + random.below(3) - 1).join(separator);
  });
  return [header.join(separator), ...rows].join(random.pick(['\n', '\r\n']));
}

/** Changes, removes and repeats bytes. */
function damaged(random: Random, bytes: Uint8Array): Uint8Array {
  const result = [...bytes.subarray(0, 20_000)];
  for (let change = random.below(6); change > 0; change -= 1) {
    const at = random.below(result.length + 1);
    const what = random.below(4);
    if (what === 0) result[at] = random.below(256);
    else if (what === 1) result.splice(at, random.below(20));
    else if (what === 2) result.splice(at, 0, ...result.slice(at, at + random.below(40)));
    else result.length = at;
  }
  return Uint8Array.from(result);
}

function randomFile(random: Random): Uint8Array {
  const make = random.pick([geoJson, overpass, table, () => random.pick(samples)]);
  const content = make(random);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return random.below(3) === 0 ? damaged(random, bytes) : bytes;
}

/** Typical parts of PostgreSQL's messages. */
const DATABASE =
  /invalid (input|byte)|violates|out of range|syntax error|duplicate key|null value|character with|unsupported Unicode/i;

test(`${FILES} random files, seed ${SEED}`, { timeout: FILES * 2000 }, async () => {
  const client = await connectTo(await createTestDatabase());
  const random = createRandom(SEED);
  const outcomes = { rows: 0, imported: 0, rejected: 0, unreadable: 0 };
  const heap = process.memoryUsage().heapUsed;
  for (let number = 0; number < FILES; number += 1) {
    const bytes = randomFile(random);
    const at = `file ${number} of seed ${SEED}: ${JSON.stringify(Buffer.from(bytes.subarray(0, 2000)).toString('latin1'))}`;
    try {
      const { report, notes, odd } = await runImport(client, bytes, {
        ...{ source: 'City', licence: 'CC0', city: 'Haifa', skipUnknown: true },
        dryRun: random.below(4) === 0,
      });
      const sum =
        report.new +
        report.changed +
        report.unchanged +
        report.leftOut +
        report.rejected +
        report.needsReview;
      expect([at, sum]).toEqual([at, report.rows]);
      const wrong = [...notes, ...odd].filter((line) => DATABASE.test(line));
      expect([at, wrong]).toEqual([at, []]);
      outcomes.rows += report.rows;
      outcomes.rejected += report.rejected;
      if (report.written) outcomes.imported += report.new;
    } catch (error) {
      // Only a StartError is allowed, which means that the whole file cannot be read. Its message must not come from the database.
      if (!(error instanceof StartError) || DATABASE.test(error.message))
        throw new Error(at, { cause: error });
      outcomes.unreadable += 1;
    }
  }
  // Each outcome must occur; otherwise the files are not varied enough.
  expect(Object.entries(outcomes).filter(([, count]) => count === 0)).toEqual([]);
  expect(process.memoryUsage().heapUsed - heap).toBeLessThan(MAX_HEAP_GROWTH);
});
