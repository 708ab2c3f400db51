// Tests the demo data: complete in three languages, with live data and a photo for each park; running the seed again changes
// nothing.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createFixtures } from './fixtures.ts';

const SUPABASE = path.resolve(import.meta.dirname, '..');
const PHOTOS = path.join(SUPABASE, 'seed/photos/parks');
const DOG_PHOTOS = path.join(SUPABASE, 'seed/photos/users');

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;
const sql = await readFile(path.join(SUPABASE, 'seed.sql'), 'utf8');
await admin.rows(sql);

test('every park is approved, named in three languages, and in the list of each', async () => {
  for (const language of ['en', 'he', 'ar']) {
    const list = (await fixtures.service.call('parks_for_publishing', {
      p_language: language,
    })) as { name: string; city: string; address: string }[];
    expect(list).toHaveLength(40);
    const script = {
      en: /^[\w\s',.-]+$/,
      he: /^[\u0590-\u05FF\s\d',.-]+$/,
      ar: /^[\u0600-\u06FF\s\d',.-]+$/,
    }[language] as RegExp;
    for (const park of list) expect(`${park.name} ${park.city} ${park.address}`).toMatch(script);
    expect(new Set(list.map((park) => park.name)).size).toBe(40);
  }
});

test('parks have all types of facts, unknown ones included', async () => {
  expect(
    await anonymous.rows(`select
      count(distinct size_label)::int as sizes, count(*) filter (where has_facilities is null)::int > 0 as unknown_facilities,
      count(*) filter (where shade is null)::int > 0 as unknown_shade, (select count(distinct m)::int from parks, unnest(materials) m) as grounds
      from parks`),
  ).toEqual([{ sizes: 3, unknown_facilities: true, unknown_shade: true, grounds: 4 }]);
});

test('there are current visits, conditions and reviews', async () => {
  const counts = (await anonymous.call('live_counts')) as {
    dogs: number[];
    conditions: Record<string, string[]>;
  };
  const dogs = counts.dogs.filter((_, index) => index % 2 === 1);
  expect(dogs.reduce((sum, many) => sum + many, 0)).toBe(15);
  expect(dogs.filter((many) => many >= 7)).toHaveLength(1);
  expect(Object.values(counts.conditions)).toHaveLength(4);
  expect(await admin.value('select count(*)::int from reviews')).toBe(28);
});

test('mornings and evenings are busier than noon, and Saturdays start later', async () => {
  const hours = await admin.rows<{ day_type: string; hour: number; dogs: string }>(
    'select * from private.usual_hours(array[3]::bigint[])',
  );
  const at = (type: string, hour: number) =>
    Number(hours.find((row) => row.day_type === type && row.hour === hour)?.dogs);
  expect(at('weekday', 7)).toBeGreaterThan(2 * at('weekday', 13));
  expect(at('weekday', 19)).toBeGreaterThan(at('weekday', 7));
  expect(at('weekend', 9)).toBeGreaterThan(at('weekend', 7));
});

test('half of the parks have a photo of at most 40 KB, and every photo has a park', async () => {
  const parks = await admin.column('select id from parks');
  const pictured = await readdir(PHOTOS);
  expect(pictured.length).toBeGreaterThanOrEqual(parks.length / 2);
  expect(pictured.filter((id) => !parks.includes(id))).toEqual([]);
  for (const id of pictured)
    expect(await readdir(path.join(PHOTOS, id, 'primary')), id).toHaveLength(1);
  for (const file of await readdir(PHOTOS, { recursive: true }))
    if (file.endsWith('.webp'))
      expect((await stat(path.join(PHOTOS, file))).size).toBeLessThanOrEqual(40_000);
});

test('every dog has a photo in a folder that its owner may use, and every photo has a dog', async () => {
  const folders = await admin.column("select owner || '/dogs/' || id from dogs order by 1");
  const pictures = (await readdir(DOG_PHOTOS, { recursive: true })).filter((file) =>
    file.endsWith('.webp'),
  );
  const primaries = pictures.filter((file) => file.includes('/primary/primary-'));
  expect(primaries.map((file) => file.split('/primary/')[0]).sort()).toEqual(folders);
  for (const file of pictures)
    expect((await stat(path.join(DOG_PHOTOS, file))).size).toBeLessThanOrEqual(40_000);
});

test('running the seed again changes nothing', async () => {
  const counts = () =>
    admin.rows`select (select count(*) from users) as users, (select count(*) from parks) as parks,
      (select count(*) from reviews) as reviews, (select count(*) from check_ins) as check_ins, (select count(*) from dogs) as dogs,
      (select sum(dogs) from private.busy_hours) as busy, (select count(*) from notifications) as notifications`;
  const before = await counts();
  await admin.rows(sql);
  expect(await counts()).toEqual(before);
});
