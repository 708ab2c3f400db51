// Tests the open data of parks over HTTP: the users' consent, the grammar of the files, and importing them again.
import { check } from '@placemarkio/check-geojson';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runImport } from '../../../../testing/run-import.ts';
import { connectTo, createTestDatabase, startTestHost } from '../../../../testing/test-host.ts';
import { ROOT } from '#/host/lib/paths.ts';
import { writeOpenParks, type ParkFormat } from '#/product/open-data/park-files.ts';

const SITE = 'https://park.example';

const host = await startTestHost({ SITE_URL: SITE });
const extract = readFileSync(path.join(ROOT, 'testing/extracts/dog-parks.json'), 'utf8');
await importInto(host.connectionString, extract);

async function importInto(connectionString: string, content: string): Promise<string> {
  return (await runImport(await connectTo(connectionString), content, { city: 'Haifa' })).result;
}

type Properties = Record<string, string | number | null>;
const propertiesIn = (file: string): Properties[] =>
  (JSON.parse(file) as { features: { properties: Properties }[] }).features.map(
    ({ properties }) => properties,
  );
const written = async (format: ParkFormat = 'geojson') =>
  (await writeOpenParks(host.database, SITE, format)).toString();
const propertiesOf = async (name: string) =>
  propertiesIn(await written()).find((properties) => properties.name_en === name);

async function park(name: string, values: Record<string, unknown> = {}): Promise<string> {
  const all = { lat: 32.1, long: 34.8, status: 'approved', source: 'user', ...values };
  const columns = Object.keys(all);
  const [row] = await host.sql<{ id: string }>(
    `insert into public.parks (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(all),
  );
  const id = row?.id ?? '';
  await host.sql(
    `insert into public.park_translations (park_id, language, name, city, address) values ($1, 'en', $2, 'Haifa', 'Herzl 5, Haifa')`,
    [id, name],
  );
  return id;
}
const CITY = { source: 'City of Haifa', licence: 'CC BY 4.0' };
const RESERVED = { ...CITY, licence: '© City of Haifa' };

test('the data is valid GeoJSON, and both files can be imported again as the same parks', async () => {
  await park('Added', {
    size: 900.5,
    materials: '{SAND,GRASS}',
    shade: 2.5,
    facts: { 'fence:height': '1.0', bench: 'yes', opening_hours: 'Mo-Fr 08:00-20:00' },
  });
  await park('=SUM(A1), "quoted"', { ...CITY, source_ref: '-7', has_facilities: false });
  const file = await written();
  expect(check(file).type).toBe('FeatureCollection');
  for (const format of ['geojson', 'csv'] as const) {
    const other = await createTestDatabase();
    expect(await importInto(other, await written(format))).toBe(
      'Imported: 52 new, 0 changed, 0 unchanged, 0 left out, 0 rejected, 0 to be decided.',
    );
    const pool = new pg.Pool({ connectionString: other });
    onTestFinished(() => pool.end());
    const back = (await writeOpenParks({ pool }, 'https://other.example', 'geojson')).toString();
    expect(propertiesIn(back)).toEqual(propertiesIn(file));
    expect(back).toBe(file);
  }
  // Spreadsheets must not interpret a name as a formula.
  expect(await written('csv')).toContain('," =SUM(A1), ""quoted""",');
  for (const sign of '+-@＝＋－＠') await park(`${sign}1`, CITY);
  const csv = await written('csv');
  for (const sign of '+-@＝＋－＠') expect(csv).toContain(`," ${sign}1",`);
});

test('contributions without consent to the licence are omitted, and included once the contributor consents', async () => {
  const ann = await host.user('Ann');
  const whole = await park('Not agreed');
  const partly = await park('Partly agreed', {
    ...CITY,
    source_ref: '1',
    shade: 3,
    facts: { lit: 'yes', bench: 'yes' },
  });
  await host.sql(
    `insert into private.unlicensed_contributions (park_id, field, user_id)
     values ($1, 'park', $3), ($2, 'shade', $3), ($2, 'fact.lit', $3)`,
    [whole, partly, ann.id],
  );
  expect(await propertiesOf('Not agreed')).toBeUndefined();
  const before = await propertiesOf('Partly agreed');
  expect(before).toMatchObject({ bench: 'yes', source: 'City of Haifa', licence: 'CC BY 4.0' });
  expect(before).not.toHaveProperty('shade');
  expect(before).not.toHaveProperty('lit');
  await ann.client.rpc('accept_terms', { p_licence: true });
  expect(await propertiesOf('Not agreed')).toMatchObject({ licence: 'ODbL 1.0' });
  expect(await propertiesOf('Partly agreed')).toMatchObject({ shade: 3, lit: 'yes' });
  for (const field of ['place', 'name.en']) {
    await host.sql`insert into private.unlicensed_contributions (park_id, field) values (${partly}, ${field})`;
    expect([field, await propertiesOf('Partly agreed')]).toEqual([field, undefined]);
    await host.sql('delete from private.unlicensed_contributions');
  }
});

test('a row lists the licences of all its values', async () => {
  await park('Only the city', { ...CITY, source_ref: '2', facts: { lit: 'yes' } });
  await park('With people', {
    ...CITY,
    source_ref: '3',
    size: 40,
    facts: { lit: 'yes', bench: 'no' },
    fact_sources: { lit: ['community', '2026-11-22'], size: ['community', '2026-11-22'] },
  });
  expect(await propertiesOf('Only the city')).toMatchObject({ licence: 'CC BY 4.0' });
  expect(await propertiesOf('Only the city')).not.toHaveProperty('by_users');
  expect(await propertiesOf('With people')).toMatchObject({
    licence: 'CC BY 4.0; ODbL 1.0',
    by_users: 'lit;size',
  });
});

test('data that may not be republished is omitted: other licences, other states, values of a merged park', async () => {
  await park('Not commercial', { ...CITY, licence: 'CC BY-NC 4.0', source_ref: '4' });
  const inWords = 'CC BY-NonCommercial-NoDerivatives 4.0';
  await park('In words', { ...CITY, licence: inWords, source_ref: '7' });
  await park('All rights', { ...RESERVED, source_ref: '5' });
  await park('Waiting', { status: 'pending' });
  const stays = await park('Stays', { source: 'OpenStreetMap', licence: 'ODbL 1.0' });
  const goes = await park('Goes', {
    ...RESERVED,
    source_ref: '6',
    size: 777,
    facts: { lit: 'yes' },
  });
  await host.sql`insert into public.park_translations (park_id, language, name, city, address) values (${goes}, 'he', 'הולכת', 'חיפה', '')`;
  await host.sql('select private.merge_parks($1, $2)', [goes, stays]);
  const names = propertiesIn(await written()).map((properties) => properties.name_en);
  for (const name of ['Not commercial', 'In words', 'All rights', 'Waiting', 'Goes'])
    expect(names).not.toContain(name);
  const merged = await propertiesOf('Stays');
  expect(merged).toMatchObject({ source: 'OpenStreetMap' });
  for (const column of ['size', 'lit', 'name_he']) expect(merged).not.toHaveProperty(column);
});

test('the file is compressed, is not sent twice, and stays the same for an hour', async () => {
  const url = `${host.url}/open/parks.geojson`;
  const first = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'application/geo+json',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
    vary: 'Accept-Encoding',
  });
  expect(first.headers.get('set-cookie')).toBeNull();
  const body = await first.text();
  // A new park does not change the file within the hour. Otherwise observers could see that a user is at a park now.
  await park('A minute later');
  const etag = String(first.headers.get('etag'));
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.text()).toBe(body);
  expect((await fetch(`${host.url}/open/parks.csv`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${host.url}/open/people.csv`)).status).toBe(404);
});

test('callers of the API cannot read it from the database', async () => {
  const ann = await host.user('Ann');
  expect((await ann.client.rpc('open_parks')).error?.code).toBe('42501');
});
