// Tests that deleting an account removes all its data and can be repeated, and that the data export is complete.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  addDog,
  addVisitPhoto,
  createFixtures,
  contributePhoto,
  errorCode,
  type Caller,
  type TestUser,
  inHours,
  inviteTo,
  join,
  sanction,
  saveReview,
  submitPark,
  decide,
  subscribe,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

async function busyUser() {
  const [ann, bob] = await fixtures.users('Ann Unique', 'Bob');
  const park = await fixtures.park();
  const dog = await addDog(ann);
  await fixtures.befriend(ann, bob);
  await ann.call('check_in', { p_park_id: park, p_dog_ids: [dog], p_key: randomUUID() });
  // Makes the visit long enough that the rank of a review counts.
  await admin.rows`update check_ins set started_at = started_at - interval '6 minutes' where user_id = ${ann.id}`;
  await saveReview(ann, park, { p_title: 'Mine', p_content: 'Text', p_rank: 5, p_anonymous: true });
  await fixtures.publishRanks();
  await ann.call('report_condition', { p_park_id: park, p_condition: 'muddy' });
  await ann.call('suggest_park_details', { p_park_id: park, p_size: 10 });
  await ann.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  await ann.rows('insert into notifications_preferences default values');
  await ann.rows(
    `insert into device_tokens (device_id, platform, token) values ($1, 'ios', 'some token')`,
    [`phone ${ann.id}`],
  );
  await subscribe(ann);
  await join(ann, dog, bob);
  await ann.call('make_dog_invite', { p_dog_id: dog, p_role: 'keeper' });
  await ann.call('make_friend_code', { p_dog_id: dog });
  await inviteTo(park, ann, [bob]);
  await ann.call('make_calendar_feed');
  const pack = await admin.value(
    `insert into private.pack_times (park_id, host_id, weekday, starts) values ($1, $2, 2, '18:00') returning id`,
    [park, bob.id],
  );
  await admin.rows`insert into private.pack_time_members select ${pack}, id from unnest(${[ann.id, bob.id]}::uuid[]) id`;
  await ann.call('report_pack_time', { p_pack_time_id: pack, p_reason: 'fake' });
  const place = { p_lat: 32.1, p_long: 34.8 };
  await ann.call('report_lost_dog', { p_dog_id: dog, ...place });
  await ann.call('dog_tag', { p_dog_id: dog });
  const lost = await bob.call('report_lost_dog', { p_dog_id: await addDog(bob), ...place });
  await admin.rows`update private.lost_dogs set approved_at = now() where id = ${lost}`;
  await ann.call('report_sighting', { p_id: randomUUID(), p_lost_id: lost, ...place });
  await ann.call('report_lost_card', { p_lost_id: lost, p_reason: 'fake' });
  await ann.call('report_user', { p_user_id: bob.id, p_reason: 'spam', p_note: 'Look' });
  await ann.call('block_user', { p_user_id: (await fixtures.user('Eve')).id });
  const dan = await fixtures.user('Dan');
  await dan.call('send_friend_request', { p_user_id: ann.id });
  await ann.call('decline_friend_request', { p_user_id: dan.id });
  await dan.call('report_condition', { p_park_id: park, p_condition: 'gateClosed' });
  await fixtures.visited(park, [bob]);
  await ann.call('report_condition', { p_park_id: park, p_condition: 'gateClosed' });
  const bobs = await saveReview(bob, park, { p_title: 'B', p_rank: 1 });
  await ann.call('report_review', { p_review_id: bobs.id, p_reason: 'fake' });
  const bad = await fixtures.park('Bad review');
  const { id: hidden } = await saveReview(ann, bad, { p_title: 'Bad', p_rank: 1 });
  await bob.call('report_review', { p_review_id: hidden, p_reason: 'spam' });
  await decide(service, 'review', hidden, 'spam');
  await bob.call('report_user', { p_user_id: ann.id, p_reason: 'spam' });
  await sanction(service, 'user', ann.id, 'warn');
  await admin.rows`insert into user_roles (user_id, role) values (${ann.id}, 'moderator')`;
  await ann.call('delete_review', { p_review_id: hidden });
  await admin.rows`update auth.users set encrypted_password = 'a slow hash' where id = ${ann.id}`;
  await admin.rows(
    `with i as (insert into auth.identities (provider_id, user_id, provider) values ($1::uuid::text, $1::uuid, 'google')),
      s as (insert into auth.sessions (user_id) values ($1::uuid))
    insert into auth.mfa_factors (user_id, friendly_name, factor_type, secret) values ($1::uuid, 'Phone', 'totp', 'TOTPSECRET')`,
    [ann.id],
  );
  const { check_in_id: visit } = (await ann.call('park_question')) as { check_in_id: string };
  await ann.call('respond_to_park_question', { p_check_in_id: visit, p_value: 'yes' });
  await ann.call('report_hazard', { p_park_id: park, p_hazard: 'glass' });
  const photographed = await fixtures.park('Photographed');
  const duplicate = await fixtures.park('Duplicate');
  const shown = await contributePhoto(service, photographed, 'parks');
  await ann.call('report_photo', { p_path: shown, p_reason: 'fake' });
  for (const twice of [duplicate, photographed])
    await saveReview(ann, twice, { p_title: 'Twice', p_rank: 2 });
  await admin.rows('select private.merge_parks($1, $2)', [duplicate, photographed]);
  await ann.rows('delete from reviews where park_id = $1', [photographed]);
  await admin.rows`insert into private.unlicensed_contributions values (${park}, 'shade', ${ann.id})`;
  const waiting = await submitPark(ann, { p_name: 'Waiting' });
  const approved = await submitPark(ann, { p_name: 'Approved' });
  await decide(service, 'park', approved);
  const files = [
    { bucket: 'users', name: `${ann.id}/dogs/${dog}/primary/primary-${randomUUID()}.webp` },
    { bucket: 'pending-photos', name: `${park}/other/${randomUUID()}.webp` },
  ];
  for (const { bucket, name } of files)
    await ann.rows('insert into storage.objects (bucket_id, name) values ($1, $2)', [bucket, name]);
  files.push({ bucket: 'visit-photos', name: await addVisitPhoto(ann, visit, dog) });
  return { ann, park, waiting, approved, files };
}

/** Returns our tables that contain an ID, with the number of rows. */
async function traces(id: string): Promise<string[]> {
  const tables = await admin.column(
    `select c.oid::regclass::text from pg_class c
     where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r' order by 1`,
  );
  const found: string[] = [];
  for (const name of tables) {
    const count = await admin.value(
      `select count(*)::int from ${name} t where t::text like '%' || $1 || '%'`,
      [id],
    );
    if (count !== 0) found.push(name);
  }
  return found;
}

test('every table that refers to a user declares its exported data, or why it is left out', async () => {
  const found = await admin.column(
    `with recursive led as (
       select c.oid from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
       where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace)
         and (c.oid in ('auth.users'::regclass, 'public.users'::regclass)
           or a.attname ~ '^(user|owner|sender|receiver|reporter|author|requester)(_id)?$')
       union
       select k.conrelid from pg_constraint k join led l on l.oid = k.confrelid where k.contype = 'f'
     )
     select n.nspname || '.' || c.relname as name from led l join pg_class c on c.oid = l.oid join pg_namespace n on n.oid = c.relnamespace
     order by 1`,
  );
  expect(found.length).toBeGreaterThan(30);
  const names = await admin.column(
    'select relation from private.exports where to_regclass(relation) is not null',
  );
  expect(found.filter((name) => !names.includes(name))).toEqual([]);
});

test('the export contains every type of stored data', async () => {
  const { ann, files } = await busyUser();
  const copy = (await fixtures.exportOf(ann.id)) as Record<string, unknown>;
  const parts = await admin.column(
    'select distinct part from private.exports where part is not null',
  );
  expect(Object.keys(copy).sort()).toEqual([...parts, 'exported_at'].sort());
  for (const [part, content] of Object.entries(copy)) {
    expect(content, part).not.toBeNull();
    expect(content, part).not.toEqual([]);
  }
  expect(copy).toMatchObject({
    account: { email: `${ann.id}@example.test`, raw_user_meta_data: { full_name: 'Ann Unique' } },
    identities: [{ provider: 'google' }],
    sessions: [{ aal: 'aal1' }],
    second_factors: [{ friendly_name: 'Phone', factor_type: 'totp' }],
    check_ins: [{ dogs: ['Rex'] }],
    invites: [{ name: 'Bob', sent_by_me: true }],
    reported_users: [{ note: 'Look' }],
    live_report_votes: [{ vote: 'confirm' }],
  });
  expect(JSON.stringify(copy)).not.toMatch(/TOTPSECRET|a slow hash|encrypted_password/);
  expect(copy.files).toEqual(expect.arrayContaining(files));
  expect(copy.reviews).toMatchObject([{ title: 'Mine', anonymous: true }]);
});

test('each page of the export has few rows, even if many have the same timestamp, and together they are complete', async () => {
  const ann = await fixtures.user('Ann');
  await admin.rows`insert into notifications (type, receiver_id, is_ready) select 'sanction', ${ann.id}, true from generate_series(1, 120)`;
  const first = (await service.call('export_user_page', { p_user_id: ann.id })) as {
    lists: { items: unknown[] }[];
  };
  expect(first.lists.reduce((sum, { items }) => sum + items.length, 0)).toBe(50);
  expect((await fixtures.exportOf(ann.id)).notifications).toHaveLength(120);
  expect(await service.call('export_user_page', { p_user_id: randomUUID() })).toBeNull();
});

test('deleting keeps only public contributions, and can be repeated after a crash', async () => {
  const { ann, park, waiting, approved, files } = await busyUser();
  expect((await traces(ann.id)).length).toBeGreaterThan(12);
  const remove = () =>
    service.call('delete_user_data', { p_user_id: ann.id }) as Promise<unknown[]>;
  const objects = await remove();
  expect(objects).toHaveLength(3);
  expect(objects).toEqual(expect.arrayContaining(files));
  // The user's token is still valid, but has no access.
  expect(await errorCode(ann.call('check_in', { p_park_id: park }))).toBe('42501');
  expect(await errorCode(ann.call('accept_terms'))).toBe('42501');
  expect(await errorCode(saveReview(ann, park))).toBe('42501');
  const favour = 'insert into favourite_parks (park_id) values ($1)';
  expect(await errorCode(ann.rows(favour, [park]))).toBe('23503');
  // After the simulated crash the files still exist, and the next run returns them again.
  expect(
    await service.rows`select * from unfinished_user_deletions() u where u = ${ann.id}`,
  ).toHaveLength(1);
  expect(await remove()).toHaveLength(3);
  await admin.rows`delete from storage.objects where name = any (${files.map((file) => file.name)})`;
  await service.call('finish_user_deletion', { p_user_id: ann.id });
  await admin.rows('delete from auth.users where id = $1', [ann.id]);
  expect(await traces(ann.id)).toEqual([]);
  expect(
    await admin.rows('select id from parks where id = any ($1)', [[waiting, approved]]),
  ).toEqual([{ id: approved }]);
  expect(await fixtures.anonymous.call('park_status', { p_park_id: park })).toMatchObject({
    people: null,
    // The deleted user's anonymous review still counts, because it is deleted later.
    review_count: 2,
    // Ann made the first report and confirmed Dan's. Neither report changes, because a change at the time of the deletion would
    // reveal that Ann made them.
    conditions: [
      { condition: 'muddy', mine: false },
      { condition: 'gateClosed', confirmations: 1 },
    ],
  });
});

test('deleting an account deletes its named reviews; anonymous ones lose their author and are deleted within 30 days', async () => {
  const [ann, bob] = await fixtures.users('Ann Leaves', 'Bob Stays');
  const parks = [await fixtures.park(), await fixtures.park(), await fixtures.park()];
  const save = (who: TestUser, park: number, anonymous: boolean) =>
    saveReview(who, park, { p_title: 'T', p_content: 'C', p_rank: 4, p_anonymous: anonymous });
  for (const [index, park] of parks.entries()) {
    await fixtures.visited(park, [ann, bob]);
    await save(ann, park, index > 0);
  }
  await save(bob, parks[1] ?? 0, true);
  await fixtures.publishRanks();
  const shown = (who: Caller) =>
    who.rows`select park_id::int, author_id, mine from park_reviews where park_id = any (${parks}) order by 1`;
  await service.call('delete_user_data', { p_user_id: ann.id });
  await admin.rows('delete from auth.users where id = $1', [ann.id]);
  // Reviews without an author must not look as if the anonymous caller had written them.
  for (const who of [fixtures.anonymous, await fixtures.user('Cara')])
    expect(await shown(who)).toEqual(
      [parks[1], parks[1], parks[2]].map((park_id) => ({ park_id, author_id: null, mine: false })),
    );
  expect(await traces(ann.id)).toEqual(['private.user_deletions']);
  expect(
    await admin.rows`select count(*)::int, count(distinct remove_at)::int as moments,
        min(remove_at) > now() and max(remove_at) < now() + interval '30 days' as within
      from reviews where author is null and park_id = any (${parks})`,
  ).toEqual([{ count: 2, moments: 2, within: true }]);
  // No stored time reveals when the account was deleted.
  await admin.rows('select private.reduce_history()');
  expect(await shown(fixtures.anonymous)).toHaveLength(3);
  await admin.rows`update reviews set remove_at = remove_at - interval '30 days' where author is null and park_id = ${parks[1]}`;
  await admin.rows('select private.reduce_history()');
  expect(await shown(fixtures.anonymous)).toMatchObject([
    { park_id: parks[1] },
    { park_id: parks[2] },
  ]);
  expect(
    await admin.value`select review_count from private.park_ratings where park_id = ${parks[1]}`,
  ).toBe(1);
});

/** Signs up again, confirms the email address, and returns the sanctions of the new account. */
async function comeBack(email: string) {
  const id = randomUUID();
  await admin.rows('insert into auth.users (id, email) values ($1, $2)', [id, email]);
  await admin.rows('update auth.users set email_confirmed_at = now() where id = $1', [id]);
  const [held] = await admin.rows<{ limited: boolean; banned: boolean }>(
    `select private.is_limited(id) as limited, coalesce(banned_until > now(), false) as banned from auth.users where id = $1`,
    [id],
  );
  return { id, ...held };
}

test('a pause applies to a new account with the same email address until its end', async () => {
  const ann = await fixtures.user('Ann Paused');
  const email = `${ann.id}@example.test`;
  const take = (id: string, what: string, until?: Date) =>
    sanction(service, 'user', id, what, until);
  const remove = async (id: string) => {
    await service.call('delete_user_data', { p_user_id: id });
    await admin.rows('delete from auth.users where id = $1', [id]);
  };
  await take(ann.id, 'warn');
  await take(ann.id, 'limit', inHours(24));
  await remove(ann.id);
  // The stored data does not identify the user.
  await service.call('finish_user_deletion', { p_user_id: ann.id });
  expect(await traces(ann.id)).toEqual([]);
  expect(await traces(email)).toEqual([]);
  // A signup with the email address does not transfer the sanction; the address must be confirmed.
  const typed = randomUUID();
  await admin.rows('insert into auth.users (id, email) values ($1, $2)', [typed, email]);
  await admin.rows('delete from auth.users where id = $1', [typed]);
  expect(await comeBack(`${randomUUID()}@example.test`)).toMatchObject({ limited: false });
  const again = await comeBack(email.toUpperCase());
  expect(again).toMatchObject({ limited: true, banned: false });
  expect(await fixtures.exportOf(again.id)).toMatchObject({
    sanctions: [{ sanction: 'limit', reason: 'harassment' }],
  });
  // Revoking the sanction of the new account also ends it for later accounts with the same email address.
  await remove(again.id);
  const third = await comeBack(email);
  expect(third.limited).toBe(true);
  await service.call('desk_revoke_sanctions', { p_user_id: third.id });
  await remove(third.id);
  const free = await comeBack(email);
  expect(free.limited).toBe(false);
  // An operator deletes an account that is banned by the auth service in one step.
  await take(free.id, 'ban');
  await admin.rows('delete from auth.users where id = $1', [free.id]);
  const banned = await comeBack(email);
  expect(banned).toMatchObject({ limited: true, banned: true });
  await admin.rows('delete from auth.users where id = $1', [banned.id]);
  const kept = () =>
    admin.rows(
      `select sanction, remove_at > now() + interval '364 days' and remove_at < now() + interval '366 days' as a_year from private.deleted_account_sanctions`,
    );
  expect(await kept()).toEqual([{ sanction: 'ban', a_year: true }]);
  await admin.rows`update private.deleted_account_sanctions set remove_at = remove_at - interval '366 days'`;
  expect((await comeBack(email)).limited).toBe(false);
  await admin.rows('select private.reduce_history()');
  expect(await kept()).toEqual([]);
});

test('photos of a removed dog are deleted with it after 90 days', async () => {
  const ann = await fixtures.user('Ann');
  const [dog, kept] = [await addDog(ann), await addDog(ann)];
  const photo = (of: string) => `${ann.id}/dogs/${of}/other/${randomUUID()}.webp`;
  const names = [photo(dog), photo(kept)];
  for (const name of names)
    await ann.rows`insert into storage.objects (bucket_id, name) values ('users', ${name})`;
  await ann.call('delete_dog', { dog_id: dog });
  await admin.rows`update dogs set deleted_at = now() - interval '91 days' where id = ${dog}`;
  await admin.rows('select private.reduce_history()');
  expect(
    await service.rows`select path, target from claim_photo_moves(100) where path = any (${names})`,
  ).toEqual([{ path: names[0], target: null }]);
});

test('the export contains that its user informed the city, without the report of the other user', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park('Glass park');
  await ann.call('check_in', { p_park_id: park });
  const id = await bob.call('report_hazard', { p_park_id: park, p_hazard: 'glass' });
  expect(await ann.call('inform_city', { p_report_id: id })).toBe(true);
  const { live_reports: reports } = await fixtures.exportOf(ann.id);
  expect(reports).toEqual([
    { park: 'Glass park', hazard: 'glass', city_informed_at: expect.anything() as unknown },
  ]);
});
