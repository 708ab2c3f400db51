// Tests facts of parks in imports: all tags are imported, a second import changes nothing, and exactly the changed values are
// applied.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runImport, type RunOptions } from '../../../../testing/run-import.ts';
import { connectTo, createTestDatabase } from '../../../../testing/test-host.ts';
import { ROOT } from '#/host/lib/paths.ts';

interface Element {
  type: string;
  id: number;
  lat?: number;
  lon?: number;
  geometry?: { lat: number; lon: number }[];
  tags: Record<string, string>;
  /** The expected facts after an import of the tags. */
  means: Record<string, string>;
}
interface Extract {
  osm3s: { timestamp_osm_base: string };
  elements: Element[];
}

const file = path.join(ROOT, 'testing/extracts/dog-parks.json');
const extract = () => JSON.parse(readFileSync(file, 'utf8')) as Extract;

const client = await connectTo(await createTestDatabase());
beforeEach(() => client.query('truncate public.parks cascade'));

const run = (content: object | string, options: RunOptions = {}) =>
  runImport(client, content, { city: 'Haifa', ...options });

interface Stored {
  ref: string;
  facts: Record<string, string>;
  sources: Record<string, [string, string]>;
  size: number | null;
  outline: string | null;
  names: Record<string, string>;
  /** The row's version, which changes whenever the row is written. */
  version: string;
}

async function stored(): Promise<Map<string, Stored>> {
  const { rows } = await client.query<Stored>(
    `select p.source_ref as ref, p.facts, p.fact_sources as sources, p.size::float, p.outline ->> 'type' as outline, p.xmin::text as version,
       (select jsonb_object_agg(t.language, t.name) from public.park_translations t where t.park_id = p.id) as names
     from public.parks p`,
  );
  return new Map(rows.map((row) => [row.ref, row]));
}

const refOf = ({ type, id }: Element) => `${type}/${id}`;
const park = (number: number, parks: Map<string, Stored>) =>
  [...parks.values()].find(({ ref }) => ref.endsWith(`/${900_000 + number}`));
/** Returns the extract as of a later day, with changed elements. */
function later(day: string, change: (element: Element, number: number) => void): Extract {
  const next = extract();
  next.osm3s.timestamp_osm_base = `${day}T00:00:00Z`;
  for (const [number, element] of next.elements.entries()) change(element, number);
  return next;
}

test('fifty parks are imported with all facts of their tags, and a second import changes nothing', async () => {
  const { elements } = extract();
  expect((await run(extract())).result).toBe(
    'Imported: 50 new, 0 changed, 0 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
  const parks = await stored();
  for (const element of elements) {
    const found = parks.get(refOf(element));
    expect([refOf(element), found?.facts]).toEqual([refOf(element), element.means]);
    const { 'name:en': en, 'name:he': he, 'name:ar': ar } = element.tags;
    expect(found?.names).toEqual({ en, he, ar });
    const drawn = element.type === 'way';
    expect(found?.outline).toBe(drawn ? 'Polygon' : null);
    expect((found?.size ?? 0) > 100).toBe(drawn);
    expect(found?.sources).toEqual({});
  }
  expect((await run(extract())).result).toBe(
    'Imported: 0 new, 0 changed, 50 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
  expect(await stored()).toEqual(parks);
});

test('the same parks as GeoJSON are recognised', async () => {
  await run(extract());
  const features = extract().elements.map((element) => ({
    type: 'Feature',
    id: refOf(element),
    properties: element.tags,
    geometry: element.geometry
      ? { type: 'Polygon', coordinates: [element.geometry.map(({ lat, lon }) => [lon, lat])] }
      : { type: 'Point', coordinates: [element.lon, element.lat] },
  }));
  const { result } = await run({ type: 'FeatureCollection', features });
  expect(result).toBe(
    'Imported: 0 new, 0 changed, 50 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
});

test('a third import applies exactly the changes', async () => {
  await run(extract());
  await run(extract());
  const before = await stored();
  const changes = later('2026-05-01', ({ tags }, number) => {
    // Adds one fact, changes one and removes one.
    if (number === 4) tags.bin = 'yes';
    if (number === 0) tags.lit = 'no';
    if (number === 1) delete tags.bench;
  });
  expect((await run(changes)).result).toBe(
    'Imported: 0 new, 3 changed, 47 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
  const after = await stored();
  const changed = [...after.values()].filter(
    ({ ref, version }) => before.get(ref)?.version !== version,
  );
  expect(changed.map(({ ref }) => Number(ref.slice(-2))).sort()).toEqual([0, 1, 4]);
  expect(park(4, after)?.facts).toEqual({ ...park(4, before)?.facts, bin: 'yes' });
  expect(park(0, after)?.facts).toEqual({ ...park(0, before)?.facts, lit: 'no' });
  // If the source no longer has a value, the value is kept with its earlier date.
  expect(park(1, after)?.facts).toEqual(park(1, before)?.facts);
  expect(park(1, after)?.sources).toEqual({ bench: ['OpenStreetMap', '2026-03-01'] });
});

test('facts of users are kept, and listed as conflicts if the source has new values', async () => {
  await run(extract());
  const correct = (key: string, value: string) =>
    client.query(
      `select private.set_park_fact(p.id, $1, $2, 'community', '2026-04-01') from public.parks p where p.source_ref = 'way/900000'`,
      [key, value],
    );
  await correct('lit', 'no');
  await correct('double_gate', 'no');
  const users = { lit: ['community', '2026-04-01'], double_gate: ['community', '2026-04-01'] };
  expect((await run(extract())).result).toBe(
    'Imported: 0 new, 0 changed, 50 unchanged, 0 left out, 0 rejected, 0 to be decided.',
  );
  const changed = later('2026-05-01', ({ tags }, number) => {
    if (number !== 0) return;
    // The source has adopted the corrected value of one fact, and has a new value of a fact that was never corrected.
    tags.double_gate = 'no';
    tags.lit = 'disused';
    tags.small_dog = 'no';
  });
  expect((await run(changed)).report.conflicts).toEqual([]);
  expect(park(0, await stored())).toMatchObject({
    facts: { lit: 'no', double_gate: 'no', small_dog: 'no' },
    sources: users,
  });
  await correct('small_dog', 'shared');
  const again = later('2026-06-01', ({ tags }, number) => {
    if (number === 0) tags.small_dog = 'separate';
  });
  expect((await run(again)).notes.slice(4)).toEqual([
    'The source has a new value where users corrected it; the corrected value stays:',
    expect.stringMatching(/: double_gate is no here, yes in the file$/) as string,
    expect.stringMatching(/: lit is no here, yes in the file$/) as string,
    expect.stringMatching(/: small_dog is shared here, separate in the file$/) as string,
  ]);
  expect(park(0, await stored())?.facts).toMatchObject({ lit: 'no', small_dog: 'shared' });
});

test('unrecognised values of a table are listed', async () => {
  const city = { source: 'City of Haifa', licence: 'CC BY 4.0' };
  const done = await run(
    `name,city,lat,long,lit,fence:height,small_dog,shelter_distance
A,Haifa,32.8,34.9,כן,"1,5 מ'",,
B,Haifa,32.81,34.9,perhaps,,,
C,Haifa,32.82,34.9,1,9 m,shared,85`,
    city,
  );
  expect(done.notes).toEqual([
    'Values that are not understood; their parks are imported without them:',
    '  lit "perhaps" (row 2); expected yes, no',
    '  fence:height "9 m" (row 3); expected metres from 0.3 to 5',
  ]);
  expect([...(await stored()).values()].map(({ facts }) => facts)).toEqual([
    { lit: 'yes', 'fence:height': '1.5' },
    {},
    { lit: 'yes', small_dog: 'shared', shelter_distance: '85' },
  ]);
});

test('the distance to the nearest public shelter is computed from the shelters of the file, or from a file of shelters', async () => {
  const SHELTER = { amenity: 'shelter', shelter_type: 'bomb_shelter' };
  const distances = async () =>
    Object.fromEntries(
      [...(await stored()).values()].map(({ ref, facts }) => [ref, facts.shelter_distance]),
    );
  const node = (id: number, lat: number, lon: number, tags: Record<string, string>) => ({
    type: 'node',
    id,
    lat,
    lon,
    tags,
  });
  const dogs = { leisure: 'dog_park' };
  const shelters = [
    // Compared by degrees, the first shelter is nearer to the first park; by metres, the second is.
    node(11, 32.0018, 34.8, SHELTER),
    node(12, 32, 34.8019, { military: 'bunker', bunker_type: 'bomb_shelter' }),
    node(13, 32.0001, 34.8, { ...SHELTER, access: 'private' }),
    node(14, 32, 34.8001, { amenity: 'shelter', shelter_type: 'public_transport' }),
  ];
  const elements = [
    node(1, 32, 34.8, dogs),
    node(2, 32.05, 34.8, { ...dogs, shelter_distance: '40' }),
    // A shelter 30 km away is useless, so the park gets no distance.
    node(3, 32.3, 34.8, dogs),
    ...shelters,
    {
      type: 'way',
      id: 15,
      geometry: [
        [32.0999, 34.7999],
        [32.0999, 34.8001],
        [32.1001, 34.8001],
        [32.1001, 34.7999],
        [32.0999, 34.7999],
      ].map(([lat, lon]) => ({ lat, lon })),
      tags: { ...SHELTER, building: 'bunker' },
    },
    node(4, 32.1045, 34.8, dogs),
  ];
  const done = await run({ elements });
  expect(done.report).toMatchObject({ new: 4, leftOut: 5, rejected: 0 });
  expect(done.notes).toEqual([
    'Left out 5 rows:',
    '  3 × public shelter (row 4, 5, 8)',
    '  2 × amenity=shelter (row 6, 7)',
    'Measured from each park to the nearest of 3 public shelters.',
    'Parks without a name, named after their street or "Dog park": 4.',
  ]);
  expect(await distances()).toEqual({
    'node/1': '179',
    'node/2': '40',
    'node/3': undefined,
    'node/4': '500',
  });
  expect((await run({ elements })).report).toMatchObject({ changed: 0, unchanged: 4 });
  // A city's list of shelters contains only places. Parks that are too far from all of them keep their values.
  const city = await run(
    { elements: elements.slice(0, 3) },
    { shelters: 'name,lat,long\nMiklat 7,"32,0009",34.8\nMiklat 8,,34.8\n' },
  );
  expect(city.notes).toContain('Shelters, row 2: lat is missing');
  expect(await distances()).toMatchObject({ 'node/1': '100', 'node/2': '40', 'node/4': '500' });
});
