// Tests parks, details and photos contributed by users: only the contributor sees them until a moderator approves them.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createFixtures,
  contributePhoto,
  errorCode,
  type Caller,
  type TestUser,
  claim,
  submitPark,
  decide,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous, service } = fixtures;

const submit = (user: TestUser, more: Record<string, unknown> = {}) =>
  submitPark(user, { p_name: '', ...more });
const sees = async (who: Caller, park: unknown) =>
  (await who.rows`select name from parks join park_translations on park_id = id where id = ${park}`)
    .length;
const published = async () =>
  JSON.stringify(await service.call('parks_for_publishing', { p_language: 'he' }));

test('a submitted park is published once it is approved, and makes the list stale', async () => {
  const ann = await fixtures.user('Ann');
  await fixtures.park();
  const changes = await service.call('stale_park_list');
  await service.call('park_list_published', { p_changes: changes });
  const park = await submit(ann, { p_shade: 4 });
  expect(await published()).not.toContain('HaYam');
  expect(await service.call('stale_park_list')).toBeNull();
  await decide(service, 'park', park);
  expect(await service.call('stale_park_list')).not.toBeNull();
  expect(JSON.parse(await published())).toContainEqual({
    id: Number(park),
    name: '2 HaYam St',
    city: 'Haifa',
    address: '2 HaYam St',
    location: { lat: 32.8, long: 35 },
    shade: 4,
  });
});

test('a park needs a city, a street address and a valid location, and a user may submit ten a day', async () => {
  const ann = await fixtures.user('Ann');
  expect(await errorCode(submit(ann, { p_city: ' ' }))).toBe('invalid_input');
  expect(await errorCode(submit(ann, { p_address: null }))).toBe('invalid_input');
  expect(await errorCode(submit(ann, { p_lat: 91 }))).toBe('23514');
  for (let index = 0; index < 10; index += 1) await submit(ann);
  expect(await errorCode(submit(ann))).toBe('too_many');
});

test('an update by a user becomes a suggestion, which a moderator may apply', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  const details = () =>
    anonymous.rows`select size::float, shade::float, has_facilities, updated_at from parks where id = ${park}`;
  const [before] = await details();
  await ann.rows`update parks set size = 1500, shade = 6, has_facilities = null where id = ${park}`;
  expect(await details()).toEqual([before]);
  const [suggestion] =
    await ann.rows`select id, size::float, shade::float, materials, has_facilities, status from park_suggestions`;
  expect(suggestion).toMatchObject({
    size: 1500,
    shade: 6,
    materials: null,
    has_facilities: null,
    status: 'pending',
  });
  await decide(service, 'correction', suggestion?.id);
  expect(await details()).toMatchObject([{ size: 1500, shade: 6, has_facilities: null }]);
  expect(await anonymous.value('select size_label from parks where id = $1', [park])).toBe(
    'medium',
  );
  expect(await errorCode(decide(service, 'correction', suggestion?.id, 'spam'))).toBe(
    'already_decided',
  );
  expect(await errorCode(ann.call('suggest_park_details', { p_park_id: park }))).toBe(
    'invalid_input',
  );
});

const suggest = (user: TestUser, park: number, more: Record<string, unknown>) =>
  user.call('suggest_park_details', { p_park_id: park, ...more });
const agree = (id: unknown, type = 'correction') => decide(service, type, id);
/** Returns the values that a moderator compares: those at the time of the suggestion, the current ones, and the suggested ones. */
const changes = async (id: unknown, type = 'correction') => {
  const item = (await claim(service, type, id)) as Record<
    'then' | 'before' | 'after',
    Record<string, unknown>
  >;
  return Object.keys(item.after)
    .toSorted()
    .map((field) => ({
      field,
      before: item.then[field] ?? null,
      now: item.before[field] ?? null,
      suggested: item.after[field],
    }));
};

test('a known fact becomes unknown only if a moderator approves it', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  await admin.rows(
    `update parks set size = 900, shade = 4, materials = '{SAND}', has_facilities = true, facts = '{"lit": "yes", "bin": "no"}',
       fact_sources = '{"lit": ["community", "2026-11-01"], "bin": ["community", "2026-11-01"], "shade": ["community", "2026-11-01"]}' where id = $1`,
    [park],
  );
  for (const facts of [{ address: null }, { size: '900' }, { lit: { yes: null } }, 'lit', [null]])
    expect(await errorCode(suggest(ann, park, { p_facts: JSON.stringify(facts) }))).toBe(
      'invalid_input',
    );
  const unknown = { lit: null, shade: null, materials: null };
  const id = await suggest(ann, park, {
    p_size: 1200,
    p_facts: JSON.stringify({ ...unknown, fenced: 'yes' }),
  });
  expect(await changes(id)).toMatchObject([
    { field: 'fact.fenced', now: null, suggested: 'yes' },
    { field: 'fact.lit', now: 'yes', suggested: null },
    { field: 'materials', now: ['SAND'], suggested: null },
    { field: 'shade', now: 4, suggested: null },
    { field: 'size', now: 900, suggested: 1200 },
  ]);
  await agree(id);
  expect(
    await anonymous.rows(
      `select size::float, shade, materials::text[], has_facilities, facts, array(select jsonb_object_keys(fact_sources) order by 1) as sources
       from parks where id = $1`,
      [park],
    ),
  ).toEqual([
    {
      size: 1200,
      shade: null,
      materials: [],
      has_facilities: true,
      facts: { bin: 'no', fenced: 'yes' },
      sources: ['bin', 'fenced', 'size'],
    },
  ]);
});

test('names in each language and the location can be suggested, are compared with the current ones, and applied', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park('Meir Park')];
  const words = { he: { name: 'גינת מאיר' }, en: { name: ' Meir  Garden ', address: '' } };
  const id = await suggest(ann, park, {
    p_translations: JSON.stringify(words),
    p_facts: JSON.stringify({ lit: 'yes' }),
    p_lat: 32.2,
    p_long: 34.9,
  });
  await admin.rows`update park_translations set name = 'Meir Yard' where park_id = ${park}`;
  const place = { lat: 32.1, long: 34.8 };
  expect(await changes(id)).toEqual([
    { field: 'address.en', before: '1 HaGina St', now: '1 HaGina St', suggested: '' },
    { field: 'fact.lit', before: null, now: null, suggested: 'yes' },
    { field: 'name.en', before: 'Meir Park', now: 'Meir Yard', suggested: 'Meir Garden' },
    { field: 'name.he', before: null, now: null, suggested: 'גינת מאיר' },
    { field: 'place', before: place, now: place, suggested: { lat: 32.2, long: 34.9 } },
  ]);
  await agree(id);
  expect(
    await anonymous.rows`select language, name, city, address from park_translations where park_id = ${park} order by 1`,
  ).toEqual([
    { language: 'en', name: 'Meir Garden', city: 'Tel Aviv-Yafo', address: '' },
    { language: 'he', name: 'גינת מאיר', city: 'Tel Aviv-Yafo', address: '' },
  ]);
  expect(
    await anonymous.rows`select lat, long, facts, fact_sources #>> '{lit,0}' as source from parks where id = ${park}`,
  ).toEqual([{ lat: 32.2, long: 34.9, facts: { lit: 'yes' }, source: 'community' }]);
});

test('invalid names, locations and claims are rejected', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  for (const p_translations of [
    { fr: { name: 'Parc' } },
    { en: { rating: 'good' } },
    { en: { name: ' ' } },
    { en: { name: 'x'.repeat(121) } },
    { en: { name: { nested: 'x' } } },
    { en: 'Park' },
    [],
    'Park',
    {},
  ])
    expect(
      await errorCode(suggest(ann, park, { p_translations: JSON.stringify(p_translations) })),
      JSON.stringify(p_translations),
    ).toBe('invalid_input');
  for (const p_facts of [{ lit: 'maybe' }, { colour: 'green' }, [], { colour: null }])
    expect(await errorCode(suggest(ann, park, { p_facts: JSON.stringify(p_facts) }))).toBe(
      'invalid_input',
    );
  expect(await errorCode(suggest(ann, park, { p_lat: 32 }))).toBe('23514');
  expect(await errorCode(suggest(ann, park, { p_claim: 'duplicate' }))).toBe('23514');
  expect(await errorCode(suggest(ann, park, { p_claim: 'duplicate', p_duplicate_of: park }))).toBe(
    '23514',
  );
  expect(
    await errorCode(suggest(ann, park, { p_claim: 'duplicate', p_duplicate_of: 999_999 })),
  ).toBe('park_not_found');
});

test('a claim that a park is closed or a duplicate is applied when it is approved', async () => {
  const ann = await fixtures.user('Ann');
  const park = await fixtures.park();
  const same = await fixtures.park('The same');
  const shut = await fixtures.park('Shut');
  await ann.rows('insert into favourite_parks (park_id) values ($1)', [same]);
  const duplicate = await suggest(ann, same, { p_claim: 'duplicate', p_duplicate_of: park });
  const closed = await suggest(ann, shut, { p_claim: 'notDogPark' });
  expect(await changes(duplicate, 'merge')).toEqual([
    { field: 'claim', before: null, now: null, suggested: 'duplicate' },
  ]);
  expect(await claim(service, 'merge', duplicate)).toMatchObject({
    park: { id: same },
    other: { id: park },
  });
  expect([await sees(ann, same), await sees(ann, shut)]).toEqual([1, 1]);
  await agree(duplicate, 'merge');
  await agree(closed);
  expect([await sees(ann, same), await sees(ann, shut)]).toEqual([0, 0]);
  expect(await ann.rows('select park_id::int from favourite_parks')).toEqual([{ park_id: park }]);
  expect(
    await admin.rows`select reason from removed_parks where park_id in (${same}, ${shut}) order by 1`,
  ).toEqual([{ reason: 'notDogPark' }, { reason: 'duplicate' }]);
});

test('facts can be contributed only after agreeing to their licence; earlier ones wait for that', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  const before = await suggest(ann, park, { p_shade: 3 });
  await admin.rows`update private.user_consents set licence_agreed_at = null where user_id = ${ann.id}`;
  expect(await errorCode(suggest(ann, park, { p_shade: 4 }))).toBe('licence_required');
  expect(await errorCode(submit(ann))).toBe('licence_required');
  expect(await errorCode(ann.rows('update parks set shade = 5 where id = $1', [park]))).toBe(
    'licence_required',
  );
  // A suggestion from before the terms contained the licence is approved now.
  await agree(before);
  const unlicensed = () =>
    admin.rows`select field from private.unlicensed_contributions where park_id = ${park}`;
  expect(await unlicensed()).toEqual([{ field: 'shade' }]);
  // An older app that does not show the licence accepts the terms without it.
  await ann.call('accept_terms');
  expect(await unlicensed()).toHaveLength(1);
  await ann.call('accept_terms', { p_licence: true });
  expect(await unlicensed()).toEqual([]);
  expect(await errorCode(suggest(ann, park, { p_shade: 4 }))).toBe('not refused');
});

test('the submitter can change a park while it is pending', async () => {
  const ann = await fixtures.user('Ann');
  const park = await submit(ann);
  // The status of a pending park cannot be read.
  expect(await ann.call('park_status', { p_park_id: park })).toBeNull();
  await ann.rows('update parks set size = 900 where id = $1', [park]);
  expect(await ann.value('select size::float from parks where id = $1', [park])).toBe(900);
  await decide(service, 'park', park, 'spam');
  expect(await errorCode(ann.rows('update parks set size = 1 where id = $1', [park]))).toBe(
    '42501',
  );
});

const upload = (who: Caller, name: string, bucket = 'pending-photos') =>
  who.rows`insert into storage.objects (bucket_id, name, version) values (${bucket}, ${name}, gen_random_uuid()::text)`;
const listed = async (who: Caller, name: string) =>
  (await who.rows('select from storage.objects where name = $1', [name])).length;
/** Moves the file as the storage service does after an approval. */
const approve = (name: string) =>
  service.rows(`update storage.objects set bucket_id = 'parks' where name = $1`, [name]);
const photo = (park: number, folder = 'other') => `${park}/${folder}/photo-${randomUUID()}.webp`;

test('a photo of a park is listed for everybody once its file has been moved', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park();
  const name = await contributePhoto(ann, park);
  // The photo is listed only when its file is in the public bucket, to which only the storage service can move it.
  await decide(service, 'photo', name);
  expect(await listed(anonymous, name)).toBe(0);
  expect(await service.rows('select path, bucket, target from claim_photo_moves()')).toEqual([
    { path: name, bucket: 'pending-photos', target: 'parks' },
  ]);
  await approve(name);
  expect([await listed(bob, name), await listed(anonymous, name)]).toEqual([1, 1]);
  expect(await bob.rows('select path, status from park_photos where park_id = $1', [park])).toEqual(
    [{ path: name, status: 'approved' }],
  );
  await ann.rows('delete from storage.objects where name = $1', [name]);
  expect(await ann.rows('select * from park_photos where park_id = $1', [park])).toEqual([]);
});

test('an approved photo cannot be exchanged for another one before its file is moved', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  const name = await contributePhoto(ann, park);
  await decide(service, 'photo', name);
  await ann.rows('delete from storage.objects where name = $1', [name]);
  expect(await errorCode(upload(ann, name))).toBe('42501');
  // Even if there were such a file, the job would not move it.
  await upload(service, name);
  expect(
    await service.rows`select bucket from claim_photo_moves(100) where path = ${name}`,
  ).toEqual([{ bucket: null }]);
});

test('undoing the withdrawal of a photo does not publish another one that was uploaded under its path', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park();
  const names = [await contributePhoto(ann, park), await contributePhoto(ann, park)];
  const decisions: unknown[] = [];
  for (const name of names) {
    await approve(name);
    await bob.call('report_photo', { p_path: name, p_reason: 'inappropriate' });
    decisions.push(await decide(service, 'photo_report', name, 'spam'));
    await service.rows(`update storage.objects set bucket_id = 'pending-photos' where name = $1`, [
      name,
    ]);
  }
  await admin.rows(`delete from private.jobs where type = 'move-photo'`);
  const [exchanged = '', kept = ''] = names;
  await ann.rows('delete from storage.objects where name = $1', [exchanged]);
  await upload(ann, exchanged);
  for (const decision of decisions) await service.call('desk_undo', { p_decision_id: decision });
  expect(
    await service.rows`select path, target from claim_photo_moves(100) where path = any (${names})`,
  ).toEqual([{ path: kept, target: 'parks' }]);
});

test('the first approved photo becomes the primary one, and the next one after it was removed', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  const primary = () => anonymous.value('select primary_photo from parks where id = $1', [park]);
  const [first, second] = [await contributePhoto(ann, park), await contributePhoto(ann, park)];
  expect(await primary()).toBeNull();
  await approve(first);
  await approve(second);
  expect(await primary()).toBe(first);
  expect(await service.call('choose_primary_photo', { p_path: second })).toBe(true);
  expect(await primary()).toBe(second);
  await ann.rows('delete from storage.objects where name = $1', [second]);
  expect(await primary()).toBe(first);
  await admin.rows(`update park_photos set status = 'rejected' where path = $1`, [first]);
  expect(await primary()).toBeNull();
});

test('each user can report a photo once, but not their own', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park('Photographed');
  const name = await contributePhoto(ann, park);
  const report = (who: TestUser) =>
    who.call('report_photo', { p_path: name, p_reason: 'inappropriate' });
  const open = () => service.rows(`select type, park_name from desk_queue() where id = $1`, [name]);
  // Only the contributor can see that there is a pending photo.
  await report(bob);
  await approve(name);
  await report(ann);
  expect(await open()).toEqual([]);
  await report(bob);
  await report(bob);
  expect(await open()).toEqual([{ type: 'photo_report', park_name: 'Photographed' }]);
  await decide(service, 'photo_report', name);
  expect(await open()).toEqual([]);
});

test('photos can be added by users who accepted the terms, to public parks, with unguessable names', async () => {
  const [ann, newcomer] = await fixtures.users('Ann', 'Newcomer');
  await admin.rows`update private.user_consents set terms_accepted_at = null where user_id = ${newcomer.id}`;
  const park = await fixtures.park();
  expect(await errorCode(upload(newcomer, photo(park)))).toBe('42501');
  const pending = Number(await submit(await fixtures.user('Bob')));
  for (const name of [
    photo(park, 'primary'),
    photo(pending),
    photo(999_999),
    `${park}/other/guessable.webp`,
    `${park}/other/${randomUUID()}.svg`,
    `${park}/other/deeper/${randomUUID()}.webp`,
    `0${park}/other/${randomUUID()}.webp`,
  ])
    expect(await errorCode(upload(ann, name)), name).toBe('42501');
  const given = await contributePhoto(ann, park);
  await approve(given);
  // The name of an approved photo cannot be used for a second file.
  expect(await errorCode(upload(await fixtures.user('Eve'), given))).toBe('42501');
});

test('files uploaded by the service are public immediately: the primary photo, others, and the list', async () => {
  const park = await fixtures.park();
  const [primary, other] = [photo(park, 'primary'), photo(park)];
  for (const name of [primary, other, 'parks-en.json']) await upload(service, name, 'parks');
  expect(await anonymous.value('select primary_photo from parks where id = $1', [park])).toBe(
    primary,
  );
  for (const name of [primary, other, 'parks-en.json'])
    expect(await listed(anonymous, name)).toBe(1);
  await service.rows('delete from storage.objects where name = $1', [primary]);
  // When the primary photo is deleted, the next public photo becomes the primary photo.
  expect(await anonymous.value('select primary_photo from parks where id = $1', [park])).toBe(
    other,
  );
});

test('suggested locations come from parks, cities and streets', async () => {
  const park = await fixtures.park('Mulberry Yard');
  const [first] = await anonymous.rows(`select * from suggest_places('mulb')`);
  expect(first).toEqual({
    label: 'Mulberry Yard, Tel Aviv-Yafo',
    lat: 32.1,
    long: 34.8,
    city: 'Tel Aviv-Yafo',
    address: '1 HaGina St',
    is_park: true,
  });
  expect(await anonymous.rows(`select * from suggest_places('mu')`)).toEqual([]);
  await admin.rows(`update parks set status = 'rejected' where id = $1`, [park]);
  expect(await anonymous.rows(`select * from suggest_places('mulb%')`)).toEqual([]);
  expect(await anonymous.rows(`select * from suggest_places('mulb')`)).toEqual([]);
});

test('an update that changes nothing writes nothing', async () => {
  const park = await fixtures.park();
  const ann = await fixtures.user('Ann');
  const version = () => admin.value('select xmin::text from parks where id = $1', [park]);
  const before = await version();
  expect(
    await ann.rows('update parks set shade = shade where id = $1 returning id', [park]),
  ).toEqual([]);
  expect(await version()).toBe(before);
});

test('users see the outcomes of their own contributions, and nobody else does', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await submit(ann, { p_name: 'Mine' });
  const other = await fixtures.park('Other');
  const suggestion = await ann.call('suggest_park_details', { p_park_id: other, p_shade: 3 });
  await decide(service, 'correction', suggestion, 'not_true');
  const mine = () => ann.rows('select type, id, park_name, status from my_contributions()');
  expect(await mine()).toEqual([
    { type: 'park', id: String(park), park_name: 'Mine', status: 'pending' },
    { type: 'suggestion', id: suggestion, park_name: 'Other', status: 'rejected' },
  ]);
  await decide(service, 'park', park);
  expect(await mine()).toContainEqual({
    type: 'park',
    id: String(park),
    park_name: 'Mine',
    status: 'approved',
  });
  expect(await bob.rows('select * from my_contributions()')).toEqual([]);
});
