// The end of an account takes everything along, again and again if need be; and the export holds everything.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixtures, refusal, type Caller, type Fixtures, type Person } from './fixtures.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await createFixtures();
});
afterAll(() => fixtures.close());

async function busyPerson() {
  const [ann, bob, park] = [
    await fixtures.person('Ann Unique'),
    await fixtures.person('Bob'),
    await fixtures.park(),
  ];
  const dog = await ann.value(
    `insert into dogs (name, breed, gender, birthday) values ('Rex', 'mixed', 'MALE', '2020-01-01') returning id`,
  );
  await fixtures.befriend(ann, bob);
  await ann.call('check_in', { p_park_id: park, p_dog_ids: [dog], p_key: randomUUID() });
  await ann.call('save_review', {
    p_park_id: park,
    p_title: 'Mine',
    p_content: 'Text',
    p_rank: 5,
    p_anonymous: true,
  });
  await ann.call('report_condition', { p_park_id: park, p_condition: 'muddy' });
  await ann.call('suggest_park_details', { p_park_id: park, p_size: 10 });
  await ann.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  await ann.rows('insert into notifications_preferences default values');
  await ann.rows(
    `insert into device_tokens (device_id, platform, token) values ($1, 'ios', 'some token')`,
    [`phone ${ann.id}`],
  );
  await ann.call('invite_to_park', {
    p_park_id: park,
    p_friend_ids: [bob.id],
    p_meet_at: new Date(Date.now() + 60_000),
  });
  await ann.call('report_user', { p_user_id: bob.id, p_reason: 'spam', p_note: 'Look' });
  await ann.call('block_user', { p_user_id: (await fixtures.person('Eve')).id });
  const waiting = await ann.call('submit_park', {
    p_name: 'Waiting',
    p_city: 'C',
    p_address: 'A',
    p_lat: 1,
    p_long: 1,
  });
  const approved = await ann.call('submit_park', {
    p_name: 'Approved',
    p_city: 'C',
    p_address: 'A',
    p_lat: 1,
    p_long: 1,
  });
  await fixtures.service.call('moderate_park', { p_park_id: approved, p_approve: true });
  const files = [
    { bucket: 'users', name: `${ann.id}/dogs/${dog}/primary/primary-${randomUUID()}.webp` },
    { bucket: 'pending-photos', name: `${park}/other/${randomUUID()}.webp` },
  ];
  for (const { bucket, name } of files)
    await ann.rows('insert into storage.objects (bucket_id, name) values ($1, $2)', [bucket, name]);
  return { ann, bob, park, waiting, approved, files };
}

/** In how many rows of which tables of ours an id still stands. */
async function traces(id: string): Promise<string[]> {
  const tables = await fixtures.admin.rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const count = await fixtures.admin.value(
      `select count(*)::int from ${name} t where t::text like '%' || $1 || '%'`,
      [id],
    );
    if (count !== 0) found.push(name);
  }
  return found;
}

test('the export holds every kind of thing that is kept', async () => {
  const { ann, files } = await busyPerson();
  const copy = (await fixtures.service.call('export_user_data', { p_user_id: ann.id })) as Record<
    string,
    unknown
  >;
  for (const [part, content] of Object.entries(copy)) {
    expect(content, part).not.toBeNull();
    if (part !== 'notifications') expect(content, part).not.toEqual([]);
  }
  expect(copy.files).toEqual(expect.arrayContaining(files));
  expect(copy.reviews).toMatchObject([{ title: 'Mine', anonymous: true }]);
  expect(await refusal(ann.call('export_user_data', { p_user_id: ann.id }))).toBe('42501');
});

test("deleting leaves nothing but what is everybody's, and can be called again after a crash", async () => {
  const { ann, bob, park, waiting, approved, files } = await busyPerson();
  expect((await traces(ann.id)).length).toBeGreaterThan(12);
  const remove = () =>
    fixtures.service.call('delete_user_data', { p_user_id: ann.id }) as Promise<unknown[]>;
  expect(await refusal(bob.call('delete_user_data', { p_user_id: ann.id }))).toBe('42501');
  const objects = await remove();
  expect(objects).toHaveLength(2);
  expect(objects).toEqual(expect.arrayContaining(files));
  // The crash: the files are still there, and the next run is told of them again.
  expect(
    await fixtures.service.rows('select * from unfinished_user_deletions() u where u = $1', [
      ann.id,
    ]),
  ).toHaveLength(1);
  expect(await remove()).toHaveLength(2);
  await fixtures.admin.rows('delete from storage.objects where name = any ($1)', [
    files.map((file) => file.name),
  ]);
  await fixtures.service.call('finish_user_deletion', { p_user_id: ann.id });
  await fixtures.admin.rows('delete from auth.users where id = $1', [ann.id]);
  expect(await traces(ann.id)).toEqual([]);
  expect(
    await fixtures.admin.rows('select id from parks where id = any ($1)', [[waiting, approved]]),
  ).toEqual([{ id: approved }]);
  expect(await fixtures.anonymous.call('park_status', { p_park_id: park })).toMatchObject({
    people_now: 0,
    // The anonymous one goes later.
    review_count: 1,
    conditions: [],
  });
});

test('the token of a deleted account opens nothing', async () => {
  const { ann, park } = await busyPerson();
  await fixtures.service.call('delete_user_data', { p_user_id: ann.id });
  expect(await refusal(ann.call('check_in', { p_park_id: park }))).toBe('42501');
  expect(await refusal(ann.call('accept_terms'))).toBe('42501');
  expect(
    await refusal(
      ann.call('save_review', { p_park_id: park, p_title: '', p_content: '', p_rank: 1 }),
    ),
  ).toBe('42501');
  expect(await refusal(ann.rows('insert into favourite_parks (park_id) values ($1)', [park]))).toBe(
    '23503',
  );
});

test('with an account go its named reviews; its anonymous ones belong to nobody and go within 30 days', async () => {
  const [ann, bob] = [await fixtures.person('Ann Leaves'), await fixtures.person('Bob Stays')];
  const parks = [await fixtures.park(), await fixtures.park(), await fixtures.park()];
  const save = (who: Person, park: number, anonymous: boolean) =>
    who.call('save_review', {
      p_park_id: park,
      p_title: 'T',
      p_content: 'C',
      p_rank: 4,
      p_anonymous: anonymous,
    });
  for (const [index, park] of parks.entries()) await save(ann, park, index > 0);
  await save(bob, parks[1] ?? 0, true);
  const shown = (who: Caller) =>
    who.rows<{ park_id: number }>(
      'select park_id::int, author_id, mine from park_reviews where park_id = any ($1) order by 1',
      [parks],
    );
  await fixtures.service.call('delete_user_data', { p_user_id: ann.id });
  await fixtures.admin.rows('delete from auth.users where id = $1', [ann.id]);
  // For visitors, too, who are nobody as well, a review of nobody is not their own.
  for (const who of [fixtures.anonymous, await fixtures.person('Cara')])
    expect(await shown(who)).toEqual(
      [parks[1], parks[1], parks[2]].map((park_id) => ({ park_id, author_id: null, mine: false })),
    );
  expect(await traces(ann.id)).toEqual(['private.user_deletions']);
  expect(
    await fixtures.admin.rows(
      `select count(*)::int, count(distinct remove_at)::int as moments,
        min(remove_at) > now() and max(remove_at) < now() + interval '30 days' as within
      from reviews where author is null and park_id = any ($1)`,
      [parks],
    ),
  ).toEqual([{ count: 2, moments: 2, within: true }]);
  // No moment that is stored tells when the account went.
  await fixtures.admin.rows('select private.reduce_history()');
  expect(await shown(fixtures.anonymous)).toHaveLength(3);
  await fixtures.admin.rows(
    `update reviews set remove_at = remove_at - interval '30 days' where author is null and park_id = $1`,
    [parks[1]],
  );
  await fixtures.admin.rows('select private.reduce_history()');
  expect((await shown(fixtures.anonymous)).map(({ park_id }) => park_id)).toEqual([
    parks[1],
    parks[2],
  ]);
  expect(
    await fixtures.admin.value('select review_count from private.park_ratings where park_id = $1', [
      parks[1],
    ]),
  ).toBe(1);
});
