// Tests keepers and walkers of a dog: how they are added and removed, what is handed over, and that a dog is in one visit only.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDog, createFixtures, join, errorCode, type Caller, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, dogsNow } = fixtures;

const tomorrow = () => new Date(Date.now() + 86_400_000);
const link = (owner: TestUser, dog: string) =>
  owner.call('make_dog_invite', { p_dog_id: dog, p_role: 'keeper' }) as Promise<string>;
const ask = (who: Caller, secret: string) =>
  who.call('dog_invite', { p_secret: secret, p_request: true });
const carersOf = async (who: Caller, dog: string) =>
  (await who.call('dog_carers', { p_dog_id: dog })) as {
    carers: { id: string; role: string }[];
    invites: { id: string; requested_by: string | null }[];
  } | null;
const ownerOf = (dog: string) => admin.value`select owner from dogs where id = ${dog}`;
const checkIn = (who: Caller, park: number, dogs: string[], more = {}) =>
  who.call('check_in', { p_park_id: park, p_dog_ids: dogs, ...more });

test('the first of twenty accounts to open a link becomes a keeper once the owner confirms', async () => {
  const ann = await fixtures.user('Ann');
  const dog = await addDog(ann);
  const secret = await link(ann, dog);
  expect(
    await admin.rows`select from private.dog_invites i where i::text like ${`%${secret}%`}`,
  ).toEqual([]);
  expect(await ask(ann, secret)).toBeNull();
  const asking = Array.from({ length: 20 }, async (_, n) => {
    const who = await fixtures.user(`Asker ${n}`);
    return { who, answer: await ask(who, secret) };
  });
  const asked = (await Promise.all(asking)).filter(({ answer }) => answer !== null);
  expect(asked).toMatchObject([
    { answer: { dog: 'Rex', owner: 'Ann', role: 'keeper', requested: true } },
  ]);
  const [{ who: first }] = asked as unknown as [{ who: TestUser }];
  expect(await carersOf(first, dog)).toBeNull();
  expect(await first.rows`update dogs set name = 'Mine' where id = ${dog} returning id`).toEqual(
    [],
  );
  const waiting = await carersOf(ann, dog);
  expect(waiting?.invites).toMatchObject([{ requested_by: first.name }]);
  const answer = { p_invite_id: waiting?.invites[0]?.id, p_accept: true };
  expect(await errorCode(first.call('respond_to_dog_invite', answer))).toBe('invite_not_found');
  await ann.call('respond_to_dog_invite', answer);
  expect(await errorCode(ann.call('respond_to_dog_invite', answer))).toBe('invite_not_found');
  expect((await carersOf(first, dog))?.carers).toMatchObject([{ id: first.id, role: 'keeper' }]);
  expect(await first.rows`update dogs set name = 'Max' where id = ${dog} returning name`).toEqual([
    { name: 'Max' },
  ]);
  expect(await first.value`select app_message from notifications where type = 'dogCarers'`).toMatch(
    /Ann.*Rex/,
  );
});

test('a link expires after a day or when withdrawn, and does not work for blocked users or before the age is confirmed', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const dog = await addDog(ann);
  const [old, withdrawn, blocked] = [
    await link(ann, dog),
    await link(ann, dog),
    await link(ann, dog),
  ];
  const ids = (await carersOf(ann, dog))?.invites.map(({ id }) => id) ?? [];
  await admin.rows`update private.dog_invites set created_at = now() - interval '25 hours' where id = ${ids[0]}`;
  await ann.call('respond_to_dog_invite', { p_invite_id: ids[1], p_accept: false });
  expect(await ask(bob, old)).toBeNull();
  expect(await ask(bob, withdrawn)).toBeNull();
  const young = await fixtures.user('Young', { consent: false });
  expect(await errorCode(ask(young, blocked))).toBe('age_required');
  await bob.call('block_user', { p_user_id: ann.id });
  expect(await ask(bob, blocked)).toBeNull();
  await bob.call('unblock_user', { p_user_id: ann.id });
  await ask(bob, blocked);
  await ann.call('block_user', { p_user_id: bob.id });
  expect((await carersOf(ann, dog))?.invites).toEqual([]);
  const guess = () => bob.call('dog_invite', { p_secret: randomUUID() });
  for (let tries = 0; tries < 58; tries += 1) await guess().catch(() => null);
  expect(await errorCode(guess())).toBe('too_many');
});

test('a dog has at most ten carers, including open links', async () => {
  const ann = await fixtures.user('Ann');
  const dog = await addDog(ann);
  const carers = (await fixtures.crowd(9)).map(({ id }) => id);
  await admin.rows`insert into private.dog_carers (dog_id, user_id, role) select ${dog}, unnest(${carers}::uuid[]), 'keeper'`;
  await link(ann, dog);
  expect(await errorCode(link(ann, dog))).toBe('too_many');
});

test('a later check-in removes the dog from the earlier visit, and every count includes it once', async () => {
  const [ann, bob, eve] = await fixtures.users('Ann', 'Bob', 'Eve');
  const [first, second] = [await fixtures.park(), await fixtures.park()];
  await fixtures.regulars([ann, bob]);
  const [rex, own] = [await addDog(ann), await addDog(bob)];
  expect(await errorCode(checkIn(bob, first, [rex]))).toBe('invalid_input');
  await join(ann, rex, bob, 'walker');
  await fixtures.befriend(bob, eve);
  await checkIn(ann, first, [rex]);
  const at = Math.floor(Date.now() / 3000);
  // A check-in from far away is a plan, so the dog stays in its current visit.
  await checkIn(bob, second, [rex], { p_location: { lat: 31, long: 34.8, accuracy: 10 } });
  expect(await dogsNow(first)).toBe(1);
  await checkIn(bob, second, [rex, own]);
  expect([await dogsNow(first), await dogsNow(second)]).toEqual([0, 2]);
  await admin.rows`update check_ins set started_at = now() - interval '1 minute' where user_id = ${ann.id} and ended_at is null`;
  const counts = (await fixtures.anonymous.call('live_counts', { p_since: at })) as {
    dogs: number[];
  };
  expect(counts.dogs).toEqual([first, 0, second - first, 2]);
  expect(await ann.rows`select from check_in_dogs where dog_id = ${rex}`).toEqual([]);
  const seen = () => eve.call('friends_now');
  expect(JSON.stringify(await seen())).toContain(rex);
  // The owner is not revealed to users who may not see the owner.
  await admin.rows`update users set hidden = true where id = ${ann.id}`;
  expect(JSON.stringify(await seen())).not.toContain(rex);
  await ann.call('remove_dog_carer', { p_dog_id: rex, p_user_id: bob.id });
  expect(await dogsNow(second)).toBe(1);
});

test('an undone check-in returns the dog to its previous visit, if that is still open', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const [first, second] = [await fixtures.park(), await fixtures.park()];
  const rex = await addDog(ann);
  await join(ann, rex, bob);
  const take = async () => {
    const visit = randomUUID();
    await checkIn(bob, second, [rex], { p_key: visit });
    expect(await dogsNow(second)).toBe(1);
    return { p_visit_id: visit };
  };
  await checkIn(ann, first, [rex]);
  const visit = await take();
  await bob.call('undo_check_in', visit);
  expect([await dogsNow(first), await dogsNow(second)]).toEqual([1, 0]);
  expect(await ann.rows`select from check_in_dogs where dog_id = ${rex}`).toHaveLength(1);
  const again = await take();
  await fixtures.leave(ann);
  await bob.call('undo_check_in', again);
  expect([await dogsNow(first), await dogsNow(second)]).toEqual([0, 0]);
});

test('if two users check in with the same dog concurrently, the second waits for the first and gets the dog', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const [first, second] = [await fixtures.park(), await fixtures.park()];
  const rex = await addDog(ann);
  await join(ann, rex, bob);
  const claims = { role: 'authenticated', sub: bob.id, aud: 'authenticated' } as const;
  let later: Promise<unknown> | undefined;
  await fixtures.database.asCaller(claims, async (client) => {
    await client.query('select check_in($1, array[$2::uuid])', [first, rex]);
    later = checkIn(ann, second, [rex]);
    await fixtures.waiting(1);
  });
  await later;
  expect([await dogsNow(first), await dogsNow(second)]).toEqual([0, 1]);
});

test('an owner hands the dog over to a keeper who offered it, and its photos follow the current owner', async () => {
  const [ann, bob, eve] = await fixtures.users('Ann', 'Bob', 'Eve');
  const dog = await addDog(ann);
  await join(ann, dog, bob);
  await join(ann, dog, eve, 'walker');
  const photo = `${ann.id}/dogs/${dog}/primary/primary-${randomUUID()}.webp`;
  await bob.rows`insert into storage.objects (bucket_id, name, owner_id) values ('users', ${photo}, ${bob.id})`;
  expect(await admin.value`select owner_id from storage.objects where name = ${photo}`).toBe(
    ann.id,
  );
  const handOver = (who: TestUser, to: TestUser) =>
    who.call('hand_over_dog', { p_dog_id: dog, p_user_id: to.id });
  expect(await errorCode(handOver(ann, bob))).toBe('invalid_input');
  for (const who of [bob, eve])
    await who.call('offer_to_take_over', { p_dog_id: dog, p_offer: true });
  expect(await errorCode(handOver(ann, eve))).toBe('invalid_input');
  expect(await errorCode(handOver(bob, bob))).toBe('dog_not_found');
  await eve.call('block_user', { p_user_id: bob.id });
  await handOver(ann, bob);
  expect(await ownerOf(dog)).toBe(bob.id);
  expect((await carersOf(bob, dog))?.carers).toMatchObject([{ id: ann.id, role: 'keeper' }]);
  await bob.call('delete_dog', { dog_id: dog });
  expect(await carersOf(ann, dog)).toBeNull();
  const moves = () =>
    admin.rows`select path, bucket, target, new_path from claim_photo_moves(20, 0)`;
  expect(await moves()).toEqual([
    { path: photo, bucket: 'users', target: 'users', new_path: photo.replace(ann.id, bob.id) },
  ]);
  await fixtures.service.call('delete_user_data', { p_user_id: ann.id });
  expect(await moves()).toMatchObject([{ target: 'users' }]);
  await fixtures.service.call('delete_user_data', { p_user_id: bob.id });
  expect(await moves()).toMatchObject([{ bucket: 'users', target: null }]);
});

test('when an account is deleted its dogs go to the oldest keeper who agreed, otherwise they are deleted', async () => {
  const [ann, bob, cem, dan] = await fixtures.users('Ann', 'Bob', 'Cem', 'Dan');
  const [kept, lost] = [await addDog(ann), await addDog(ann)];
  const park = await fixtures.park();
  for (const who of [bob, cem, dan]) await join(ann, kept, who);
  await join(ann, lost, bob);
  for (const who of [cem, dan])
    await who.call('offer_to_take_over', { p_dog_id: kept, p_offer: true });
  await checkIn(bob, park, [lost]);
  const photo = (dog: string) => `${ann.id}/dogs/${dog}/other/${randomUUID()}.webp`;
  const names = [photo(kept), photo(lost)];
  for (const name of names)
    await ann.rows`insert into storage.objects (bucket_id, name) values ('users', ${name})`;
  expect(await fixtures.service.call('delete_user_data', { p_user_id: ann.id })).toEqual([
    { bucket: 'users', name: names[1] },
  ]);
  expect(await ownerOf(kept)).toBe(cem.id);
  expect(await ownerOf(lost)).toBeUndefined();
  expect(await dogsNow(park)).toBe(0);
  expect((await carersOf(cem, kept))?.carers.map(({ id }) => id)).toEqual([bob.id, dan.id]);
  expect(
    await cem.value`select app_message from notifications where type = 'dogCarers' order by created_at desc`,
  ).toBe('\u2068Rex\u2069 is in your profile now');
});

test("both sides export it until a walker's time ends, and a removed user exports nothing of the dog", async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const dog = await addDog(ann);
  await checkIn(bob, await fixtures.park(), [await addDog(bob, 'Own')]);
  await fixtures.leave(bob);
  await join(ann, dog, bob, 'walker');
  await checkIn(bob, await fixtures.park(), [dog]);
  await fixtures.leave(bob);
  expect(await fixtures.exportOf(ann.id)).toMatchObject({
    dog_carers: [{ name: 'Bob', of_my_dog: true, role: 'walker' }],
  });
  expect(await fixtures.exportOf(bob.id)).toMatchObject({
    dog_carers: [{ name: 'Ann', of_my_dog: false }],
    check_ins: [{ dogs: ['Own'] }, { dogs: ['Rex'] }],
  });
  await admin.rows`update private.dog_carers set ends_at = now() - interval '1 minute' where dog_id = ${dog}`;
  expect(
    await bob.rows`select from dogs where id = ${dog} and owner = ${ann.id} and id in (select private.kept_dog_ids())`,
  ).toEqual([]);
  expect(await bob.call('kept_dogs')).toEqual([]);
  await admin.rows('select private.reduce_history()');
  expect(await fixtures.exportOf(bob.id)).toMatchObject({
    dog_carers: [],
    check_ins: [{ dogs: ['Own'] }, { dogs: [] }],
  });
  const until = (p_ends_at: Date | null) =>
    errorCode(ann.call('make_dog_invite', { p_dog_id: dog, p_role: 'walker', p_ends_at }));
  expect([await until(null), await until(new Date(0)), await until(tomorrow())]).toEqual([
    'invalid_input',
    'invalid_input',
    'not refused',
  ]);
});

test('keepers who are not friends learn nothing about each other’s visits', async () => {
  const park = await fixtures.park();
  const [bob, ann, eve] = await fixtures.users('Bob', 'Ann', 'Eve');
  const dog = await addDog(bob);
  for (const keeper of [ann, eve]) {
    await join(bob, dog, keeper);
    await admin.rows`insert into notifications_preferences (user_id, friend_there) values (${keeper.id}, true)`;
  }
  await admin.rows`insert into favourite_parks (user_id, park_id) values (${eve.id}, ${park})`;
  await checkIn(ann, park, [dog]);
  await admin.rows`select private.notify_of_arrival(c.id) from check_ins c where c.user_id = ${ann.id}`;
  const learned = [
    await eve.call('park_status', { p_park_id: park }),
    await eve.call('friends_now'),
    await eve.rows('select * from check_ins'),
    await eve.rows('select * from notifications'),
  ];
  expect(JSON.stringify(learned)).not.toContain(ann.id);
  expect(await eve.rows('select check_in_id, dog_id from check_in_dogs')).toEqual([]);
});
