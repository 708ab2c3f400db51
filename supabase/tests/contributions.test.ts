// Parks, details and photos that users give: seen by who gave them until a moderator approved.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixtures, refusal, type Caller, type Fixtures, type Person } from './fixtures.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await createFixtures();
});
afterAll(() => fixtures.close());

const submit = (person: Person, more: Record<string, unknown> = {}) =>
  person.call('submit_park', {
    p_name: '',
    p_city: 'Haifa',
    p_address: '2 HaYam St',
    p_lat: 32.8,
    p_long: 35,
    ...more,
  });
const sees = async (who: Caller, park: unknown) =>
  (
    await who.rows('select name from parks join park_translations on park_id = id where id = $1', [
      park,
    ])
  ).length;
const published = async () =>
  JSON.stringify(await fixtures.service.call('parks_for_publishing', { p_language: 'he' }));

test("a submitted park is its submitter's until it is approved; then the list is stale", async () => {
  const [ann, bob] = [await fixtures.person('Ann'), await fixtures.person('Bob')];
  await fixtures.park();
  const changes = await fixtures.service.call('stale_park_list');
  await fixtures.service.call('park_list_published', { p_changes: changes });
  const key = randomUUID();
  const park = await submit(ann, { p_key: key, p_shade: 4 });
  expect(await submit(ann, { p_key: key })).toBe(park);
  expect([
    await sees(ann, park),
    await sees(bob, park),
    await sees(fixtures.anonymous, park),
  ]).toEqual([1, 0, 0]);
  expect(await published()).not.toContain('HaYam');
  expect(await fixtures.service.call('stale_park_list')).toBeNull();
  expect(await fixtures.service.call('moderate_park', { p_park_id: park, p_approve: true })).toBe(
    true,
  );
  expect([await sees(bob, park), await sees(fixtures.anonymous, park)]).toEqual([1, 1]);
  expect(await fixtures.service.call('stale_park_list')).not.toBeNull();
  expect(JSON.parse(await published())).toContainEqual({
    id: Number(park),
    name: '2 HaYam St',
    city: 'Haifa',
    address: '2 HaYam St',
    location: { lat: 32.8, long: 35 },
    shade: 4,
  });
});

test('a park needs a city, an address and a place on earth, and ten a day are enough', async () => {
  const ann = await fixtures.person('Ann');
  expect(await refusal(submit(ann, { p_city: ' ' }))).toBe('invalid_input');
  expect(await refusal(submit(ann, { p_address: null }))).toBe('invalid_input');
  expect(await refusal(submit(ann, { p_lat: 91 }))).toBe('23514');
  for (let index = 0; index < 10; index += 1) await submit(ann);
  expect(await refusal(submit(ann))).toBe('too_many');
});

test('an update by a user becomes a suggestion, which a moderator may carry out', async () => {
  const [ann, park] = [await fixtures.person('Ann'), await fixtures.park()];
  const details = () =>
    fixtures.anonymous.rows(
      'select size::float, shade::float, has_facilities, updated_at from parks where id = $1',
      [park],
    );
  const [before] = await details();
  await ann.rows('update parks set size = 1500, shade = 6, has_facilities = null where id = $1', [
    park,
  ]);
  expect(await details()).toEqual([before]);
  const [suggestion] = await ann.rows(
    'select id, size::float, shade::float, materials, has_facilities, status from park_suggestions',
  );
  expect(suggestion).toMatchObject({
    size: 1500,
    shade: 6,
    materials: null,
    has_facilities: null,
    status: 'pending',
  });
  await fixtures.service.call('moderate_suggestion', { p_id: suggestion?.id, p_approve: true });
  expect(await details()).toMatchObject([{ size: 1500, shade: 6, has_facilities: null }]);
  expect(await fixtures.anonymous.value('select size_label from parks where id = $1', [park])).toBe(
    'medium',
  );
  expect(
    await fixtures.service.call('moderate_suggestion', { p_id: suggestion?.id, p_approve: false }),
  ).toBe(false);
  expect(await refusal(ann.call('suggest_park_details', { p_park_id: park }))).toBe(
    'invalid_input',
  );
  expect(
    await refusal(ann.rows(`update parks set status = 'rejected' where id = $1`, [park])),
  ).toBe('42501');
});

test('the submitter changes the own park as long as it waits', async () => {
  const ann = await fixtures.person('Ann');
  const park = await submit(ann);
  await ann.rows('update parks set size = 900 where id = $1', [park]);
  expect(await ann.value('select size::float from parks where id = $1', [park])).toBe(900);
});

const upload = (who: Caller, name: string) =>
  who.rows(
    `insert into storage.objects (bucket_id, name, version) values ('parks', $1, gen_random_uuid()::text)`,
    [name],
  );
const listed = async (who: Caller, name: string) =>
  (await who.rows('select from storage.objects where name = $1', [name])).length;
/** As storage does it when a moderator moves the file. */
const approve = (name: string) =>
  fixtures.service.rows(`update storage.objects set bucket_id = 'parks' where name = $1`, [name]);
const photo = (park: number, folder = 'other') => `${park}/${folder}/photo-${randomUUID()}.webp`;

test('a photo of a park is listed for its giver until it is approved', async () => {
  const [ann, bob, park] = [
    await fixtures.person('Ann'),
    await fixtures.person('Bob'),
    await fixtures.park(),
  ];
  const name = photo(park);
  await upload(ann, name);
  expect([
    await listed(ann, name),
    await listed(bob, name),
    await listed(fixtures.anonymous, name),
  ]).toEqual([1, 0, 0]);
  // Not before its file lies where everybody may read it.
  const decision = { p_photo_path: name, p_approve: true };
  expect(await fixtures.service.call('moderate_photo', decision)).toBe(false);
  await approve(name);
  expect(await fixtures.service.call('moderate_photo', decision)).toBe(true);
  expect([await listed(bob, name), await listed(fixtures.anonymous, name)]).toEqual([1, 1]);
  expect(await bob.rows('select path, status from park_photos where park_id = $1', [park])).toEqual(
    [{ path: name, status: 'approved' }],
  );
  await bob.rows('delete from storage.objects where name = $1', [name]);
  expect(await listed(ann, name)).toBe(1);
  await ann.rows('delete from storage.objects where name = $1', [name]);
  expect(await ann.rows('select * from park_photos where park_id = $1', [park])).toEqual([]);
});

test('a second file cannot take the name of an approved photo', async () => {
  const [ann, bob, park] = [
    await fixtures.person('Ann'),
    await fixtures.person('Bob'),
    await fixtures.park(),
  ];
  const name = photo(park);
  await upload(ann, name);
  await approve(name);
  expect(await refusal(upload(bob, name))).toBe('42501');
});

test('who may put what where in the bucket parks', async () => {
  const [ann, park] = [await fixtures.person('Ann'), await fixtures.park()];
  const newcomer = await fixtures.person('New', { consent: false });
  const pending = Number(await submit(await fixtures.person('Bob')));
  for (const [who, name] of [
    [ann, photo(park, 'primary')],
    [ann, photo(pending)],
    [ann, photo(999_999)],
    [ann, `${park}/other/guessable.webp`],
    [ann, `${park}/other/${randomUUID()}.svg`],
    [ann, `${park}/other/deeper/${randomUUID()}.webp`],
    [ann, `0${park}/other/${randomUUID()}.webp`],
    [ann, 'parks-en.json'],
    [newcomer, photo(park)],
    [fixtures.anonymous, photo(park)],
  ] as const)
    expect(await refusal(upload(who, name)), name).toBe('42501');
  const given = photo(park);
  await upload(ann, given);
  await approve(given);
  // An approved photo cannot be replaced by another picture, nor moved.
  expect(
    await ann.rows(`update storage.objects set version = 'other' where name = $1 returning 1`, [
      given,
    ]),
  ).toEqual([]);
});

test("the service's uploads show at once: the primary one, others, and the list", async () => {
  const park = await fixtures.park();
  const [primary, other] = [photo(park, 'primary'), photo(park)];
  for (const name of [primary, other, 'parks-en.json']) await upload(fixtures.service, name);
  expect(
    await fixtures.anonymous.value('select primary_photo from parks where id = $1', [park]),
  ).toBe(primary);
  for (const name of [primary, other, 'parks-en.json'])
    expect(await listed(fixtures.anonymous, name)).toBe(1);
  await fixtures.service.rows('delete from storage.objects where name = $1', [primary]);
  expect(
    await fixtures.anonymous.value('select primary_photo from parks where id = $1', [park]),
  ).toBeNull();
});

test('suggested places come from parks, cities and streets', async () => {
  const park = await fixtures.park('Mulberry Yard');
  const [first] = await fixtures.anonymous.rows(`select * from suggest_places('mulb')`);
  expect(first).toEqual({
    label: 'Mulberry Yard, Tel Aviv-Yafo',
    lat: 32.1,
    long: 34.8,
    city: 'Tel Aviv-Yafo',
    address: '1 HaGina St',
    is_park: true,
  });
  expect(await fixtures.anonymous.rows(`select * from suggest_places('mu')`)).toEqual([]);
  await fixtures.admin.rows(`update parks set status = 'rejected' where id = $1`, [park]);
  expect(await fixtures.anonymous.rows(`select * from suggest_places('mulb%')`)).toEqual([]);
  expect(await fixtures.anonymous.rows(`select * from suggest_places('mulb')`)).toEqual([]);
});

test('an update that changes nothing writes nothing', async () => {
  const park = await fixtures.park();
  const ann = await fixtures.person('Ann');
  const version = () => fixtures.admin.value('select xmin::text from parks where id = $1', [park]);
  const before = await version();
  expect(
    await ann.rows('update parks set shade = shade where id = $1 returning id', [park]),
  ).toEqual([]);
  expect(await version()).toBe(before);
});
