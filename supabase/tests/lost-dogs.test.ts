// Tests lost dogs: who sees the card and is notified, what the dog's owner and keepers learn about finders, and what a tag shows.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_LETTERS } from '../../app/src/features/lost-dogs/lost-dog-limits.ts';
import {
  addDog,
  claim,
  createFixtures,
  decide,
  join,
  errorCode,
  subscribe,
  type Caller,
  type TestUser,
} from './fixtures.ts';

const LONG = 'x'.repeat(MAX_LETTERS);

const fixtures = await createFixtures();
const { admin, anonymous, service } = fixtures;

interface Lost {
  sightings: {
    id: string;
    lat: number | null;
    note: string | null;
    photo: string | null;
    phone: string | null;
    answer: string | null;
    answerable: boolean;
  }[];
}

const PLACE = { p_lat: 32.1034, p_long: 34.8071 };

const clearParkLimits = () =>
  admin.rows`delete from private.rate_limits where operation = 'alert_near_park'`;

/** Creates Ann, a regular, and her dog. The limits near her park are reset. */
async function dogOf(name = 'Rex') {
  await clearParkLimits();
  const ann = await fixtures.user('Ann');
  await fixtures.regulars([ann]);
  return { ann, dog: await addDog(ann, name) };
}
const lose = (who: TestUser, dog: unknown, place: object = PLACE) =>
  who.call('report_lost_dog', { p_dog_id: dog, ...place });
const cards = async (who: Caller, id: unknown) =>
  ((await who.call('lost_dogs')) as { id: string }[]).filter((card) => card.id === id);
const mine = (who: TestUser, dog: unknown) =>
  who.call('my_lost_dog', { p_dog_id: dog }) as Promise<Lost | null>;
const see = (who: TestUser, lost: unknown, id = randomUUID()) =>
  who
    .call('report_sighting', {
      p_id: id,
      p_lost_id: lost,
      p_lat: 32.2,
      p_long: 34.9,
    })
    .then(() => id);
const readNotifications = async (who: TestUser, type: string) => {
  await admin.rows('select private.notify_of_lost_dogs()');
  return who.rows`select app_message from notifications where type::text = ${type}`;
};
const expire = (lost: unknown, ago: string) =>
  admin.rows`update private.lost_dogs set until = now() - ${ago}::interval where id = ${lost}`;

test('the card of a regular’s dog has a coarse location, lasts a day, and can be extended only by its owner', async () => {
  const { ann, dog } = await dogOf('Rex 054 1234567');
  const eve = await fixtures.user('Eve');
  const lost = await lose(ann, dog);
  expect(await cards(anonymous, lost)).toMatchObject([
    { name: 'Rex', lat: 32.105, long: 34.805, mine: false },
  ]);
  const lasts = async (hours: number) => {
    await admin.rows`update private.lost_dogs set until = until - make_interval(hours => ${hours}) where id = ${lost}`;
    return (await cards(eve, lost)).length;
  };
  expect([await lasts(23), await lasts(1)]).toEqual([1, 0]);
  expect(await errorCode(lose(eve, dog))).toBe('dog_not_found');
  expect(await errorCode(eve.call('found_dog', { p_dog_id: dog }))).toBe('not refused');
  expect(await mine(eve, dog)).toBeNull();
  expect(await lose(ann, dog, {})).toBe(lost);
  expect([await lasts(23), await lasts(1)]).toEqual([1, 0]);
  // The card has expired, so it cannot be extended without a location, and reporting the dog again creates a new card.
  await expire(lost, '2 days');
  expect(await errorCode(lose(ann, dog, {}))).toBe('invalid_input');
  expect(await lose(ann, dog)).not.toBe(lost);
  await ann.call('delete_dog', { dog_id: dog });
  expect(await ann.call('lost_dogs')).not.toMatchObject([{ name: 'Rex' }]);
});

test('users at parks nearby or with one as a favourite are notified once, at most four times a day per owner, if they want', async () => {
  const { ann, dog } = await dogOf();
  const park = await fixtures.park();
  const [there, fan, off, far] = await fixtures.users('There', 'Fan', 'Off', 'Far');
  await there.call('check_in', { p_park_id: park });
  for (const user of [fan, off, ann])
    await user.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  await off.rows('insert into notifications_preferences (lost_dog) values (false)');
  const away = await fixtures.park();
  await admin.rows('update parks set long = long + 0.05 where id = $1', [away]);
  await far.rows('insert into favourite_parks (park_id) values ($1)', [away]);
  await subscribe(fan);
  const lost = await lose(ann, dog);
  await lose(ann, dog);
  for (const user of [there, fan])
    expect(await readNotifications(user, 'lostDog')).toMatchObject([{ app_message: /Rex/ }]);
  for (const user of [ann, off, far]) expect(await readNotifications(user, 'lostDog')).toEqual([]);
  const claim = `select seconds from claim_pushes(p_type => 'send-web-push')`;
  expect(await service.value(claim)).toBeLessThanOrEqual(6 * 3600);
  // Users who were already notified are not notified again when a moderator approves the card.
  await decide(service, 'lost_dog', lost);
  expect(await readNotifications(fan, 'lostDog')).toHaveLength(1);
  await ann.call('found_dog', { p_dog_id: dog });
  expect(await readNotifications(fan, 'lostDog')).toEqual([]);
  expect(await cards(fan, lost)).toEqual([]);
  // Withdrawn notifications count only against the quota of their sender.
  for (let time = 0; time < 4; time += 1) {
    // The second card of the same week is shown only after an approval.
    const again = await lose(ann, dog);
    expect(await readNotifications(fan, 'lostDog')).toEqual([]);
    await decide(service, 'lost_dog', again);
    expect(await readNotifications(fan, 'lostDog')).toHaveLength(time < 3 ? 1 : 0);
    await ann.call('found_dog', { p_dog_id: dog });
  }
  const { ann: bea, dog: other } = await dogOf('Bo');
  await lose(bea, other);
  expect(await readNotifications(fan, 'lostDog')).toHaveLength(1);
});

test('cards of twenty new accounts show nothing and notify nobody before a moderator approves them', async () => {
  const park = await fixtures.park();
  const fan = await fixtures.user('Fan');
  await fan.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  const waiting: { user: TestUser; dog: unknown; lost: unknown }[] = [];
  for (let index = 0; index < 20; index += 1) {
    const user = await fixtures.user(`New ${index}`);
    const dog = await addDog(user, 'Fake');
    waiting.push({ user, dog, lost: await lose(user, dog) });
  }
  for (const { lost } of waiting) expect(await cards(fan, lost)).toEqual([]);
  expect(await errorCode(see(fan, waiting[0]?.lost))).toBe('not_lost');
  expect(await readNotifications(fan, 'lostDog')).toEqual([]);
  const [one, other] = waiting as [(typeof waiting)[0], (typeof waiting)[0]];
  expect(await mine(one.user, one.dog)).toMatchObject({
    lost: true,
    shown: false,
  });
  await decide(service, 'lost_dog', one.lost);
  await decide(service, 'lost_dog', other.lost, 'not_true');
  expect(await cards(fan, one.lost)).toHaveLength(1);
  expect(await readNotifications(fan, 'lostDog')).toHaveLength(1);
  expect(await readNotifications(one.user, 'deskDecision')).toHaveLength(1);
  // A hidden card stays hidden if the dog is reported again.
  await other.user.call('found_dog', { p_dog_id: other.dog });
  expect(await errorCode(lose(other.user, other.dog))).toBe('card_hidden');
});

test('friends and keepers see a card immediately, others only if its author knows the area, once a week', async () => {
  const park = await fixtures.park();
  const [ann, far] = await fixtures.users('Ann', 'Far');
  const [friend, former, blocked, keeper, walker, fan] = await fixtures.users(
    ...(['Friend', 'Former', 'Blocked', 'Keeper', 'Walker', 'Fan'] as const),
  );
  const dog = await addDog(ann);
  for (const user of [friend, former, blocked]) await fixtures.befriend(ann, user);
  await join(ann, dog, keeper);
  await join(ann, dog, walker, 'walker');
  await ann.call('unfriend', { p_user_id: former.id });
  await ann.call('block_user', { p_user_id: blocked.id });
  const others = [former, blocked, walker, fan];
  for (const user of [friend, ...others])
    await user.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  const reached = async (lost: unknown) => {
    const found: string[] = [];
    for (const user of [friend, keeper, ...others]) {
      const rung = (await readNotifications(user, 'lostDog')).length;
      expect((await cards(user, lost)).length).toBe(rung);
      if (rung > 0) found.push(user.name);
    }
    return found;
  };
  const first = await lose(ann, dog);
  expect(await reached(first)).toEqual(['Friend', 'Keeper']);
  await decide(service, 'lost_dog', first);
  // An approval notifies each user once, and no user who is blocked by or has blocked the owner or a keeper.
  expect(await reached(first)).toEqual(['Friend', 'Keeper', 'Former', 'Walker', 'Fan']);
  await ann.call('found_dog', { p_dog_id: dog });

  // A regular of another park has the rights of a newcomer here.
  const away = await fixtures.park('Away');
  await admin.rows`update parks set long = long + 0.05 where id = ${away}`;
  await fixtures.regulars([far], away);
  const other = await addDog(far, 'Other');
  const lost = await lose(far, other);
  expect([await cards(fan, lost), await readNotifications(fan, 'lostDog')]).toEqual([[], []]);
  // The card is shown at the author's own park, but not after it has been moved to another area, and not for a second dog.
  await far.call('found_dog', { p_dog_id: other });
  const near = { p_lat: 32.1034, p_long: 34.8571 };
  const local = await lose(far, other, near);
  expect(await cards(anonymous, local)).toHaveLength(1);
  expect(await cards(anonymous, await lose(far, await addDog(far, 'Second'), near))).toEqual([]);
  await lose(far, other);
  expect(await cards(anonymous, local)).toEqual([]);
});

test('a name with a link waits for a moderator', async () => {
  const { ann, dog } = await dogOf('Rex www.evil.example');
  const lost = await lose(ann, dog);
  expect(await cards(anonymous, lost)).toEqual([]);
  await ann.call('found_dog', { p_dog_id: dog });
  expect(await cards(anonymous, await lose(ann, await addDog(ann, 'Luna')))).toHaveLength(1);
});

test('own accounts show one card a week each without an approval, but three a day near a park; twenty newcomers none', async () => {
  await clearParkLimits();
  const own = await fixtures.crowd(20);
  await fixtures.regulars(own);
  const fan = await fixtures.user('Fan');
  expect(await readNotifications(fan, 'lostDog')).toEqual([]);
  await fan.rows('insert into favourite_parks (park_id) values ($1)', [await fixtures.park()]);
  const shown = async (users: readonly TestUser[]) => {
    let many = 0;
    for (const user of users)
      for (const name of ['One', 'Two'])
        many += (await cards(anonymous, await lose(user, await addDog(user, name)))).length;
    return many;
  };
  const nextDay = async () => {
    await clearParkLimits();
    await admin.rows`delete from private.rate_limits where operation = 'report_lost_dog'`;
  };
  expect(await shown(own)).toBe(3);
  expect(await readNotifications(fan, 'lostDog')).toHaveLength(3);
  // A card that waited for a moderator does not use up its author's weekly limit, and deleting cards does not allow more of them.
  await nextDay();
  expect(await shown(own.slice(2, 5))).toBe(2);
  await admin.rows('delete from private.lost_dogs');
  expect(await shown(own.slice(5, 7))).toBe(1);
  await nextDay();
  await admin.rows('select private.reduce_history()');
  expect(await shown(own.slice(0, 6))).toBe(0);
  expect(await shown(await fixtures.crowd(20))).toBe(0);
  await nextDay();
  await admin.rows`update private.rate_limits set window_start = now() - interval '8 days' where operation = 'alert_nearby'`;
  expect(await shown(own.slice(0, 3))).toBe(3);
});

test('a card counts only near parks that all have room for it, wherever it is moved, and once near each', async () => {
  await clearParkLimits();
  const far = await fixtures.park('Far');
  await admin.rows`update parks set long = long + 0.05 where id = ${far}`;
  const own = await fixtures.crowd(4);
  await fixtures.regulars(own);
  await fixtures.regulars(own, far);
  const dogs = new Map<TestUser, string>();
  for (const user of own) dogs.set(user, await addDog(user));
  const isShown = async (user: TestUser, east: number) =>
    (
      await cards(
        anonymous,
        await lose(user, dogs.get(user), { ...PLACE, p_long: PLACE.p_long + east }),
      )
    ).length === 1;
  const [one, two, three, late] = own as [TestUser, TestUser, TestUser, TestUser];
  for (const user of [one, two, three]) expect(await isShown(user, 0.045)).toBe(true);
  for (let tries = 0; tries < 3; tries++) {
    expect(await isShown(late, 0.02)).toBe(false);
    await late.call('found_dog', { p_dog_id: dogs.get(late) });
  }
  expect(await isShown(late, 0)).toBe(true);
  for (const east of [0, 0.045, 0]) expect(await isShown(one, east)).toBe(true);
  expect(await isShown(two, 0)).toBe(true);
  expect(await isShown(three, 0)).toBe(false);
  // A short move that hides the card sends it to the moderators, too.
  await admin.rows('delete from user_roles');
  const mo = await fixtures.moderator('Mo');
  await admin.rows`update private.lost_dogs set queued_at = now() - interval '1 hour'`;
  await admin.rows`update user_roles set notified_at = now() - interval '2 minutes'`;
  expect(await isShown(late, 0.02)).toBe(false);
  await admin.rows('select private.notify_desk()');
  expect(await readNotifications(mo, 'deskWaiting')).toHaveLength(1);
});

test('an approval ends when the card is moved more than three kilometres, and moderators are notified again', async () => {
  const [ann, fan] = await fixtures.users('Ann', 'Fan');
  const away = await fixtures.park('Away');
  await admin.rows`update parks set long = long + 0.05 where id = ${away}`;
  await fixtures.regulars([ann], away);
  await fan.rows('insert into favourite_parks (park_id) values ($1)', [away]);
  const dog = await addDog(ann);
  const lost = await lose(ann, dog);
  await decide(service, 'lost_dog', lost);
  await lose(ann, dog, { ...PLACE, p_long: PLACE.p_long + 0.02 });
  await lose(ann, dog, {});
  expect(await cards(anonymous, lost)).toHaveLength(1);
  await admin.rows('delete from user_roles');
  const mo = await fixtures.moderator('Mo');
  await admin.rows`update private.lost_dogs set lost_at = now() - interval '1 hour', queued_at = now() - interval '1 hour'`;
  await admin.rows`update user_roles set notified_at = now() - interval '2 minutes'`;
  // Two moves of two kilometres are as far as one of four.
  await lose(ann, dog, { ...PLACE, p_long: PLACE.p_long + 0.04 });
  expect(await cards(anonymous, lost)).toEqual([]);
  await admin.rows('select private.notify_desk()');
  expect(await readNotifications(mo, 'deskWaiting')).toHaveLength(1);
  await decide(service, 'lost_dog', lost);
  expect(await cards(anonymous, lost)).toHaveLength(1);
  expect(await readNotifications(fan, 'lostDog')).toHaveLength(1);
});

test("a finder's telephone number is shown to the dog's owner and keepers of that time, and only the finder reads their answer", async () => {
  const { ann, dog } = await dogOf();
  const [keeper, later, walker, friend, eve] = await fixtures.users(
    ...(['Keeper', 'Later', 'Walker', 'Friend', 'Eve'] as const),
  );
  await join(ann, dog, keeper);
  await join(ann, dog, walker, 'walker');
  await fixtures.befriend(ann, friend);
  for (const user of [ann, keeper]) await subscribe(user);
  const code = await ann.call('dog_tag', { p_dog_id: dog });
  const lost = await lose(ann, dog);
  const secret = randomUUID();
  const phone = '+972 50-123-4567';
  const send = (more: object) =>
    anonymous.call('send_from_tag', {
      p_code: code,
      p_note: 'At the gate',
      ...more,
    });
  for (const wrong of ['12345', 'x'.repeat(12), '1'.repeat(16), '050 123 4567; drop', '(((((((((('])
    expect(await errorCode(send({ p_phone: wrong, p_secret: secret }))).toBe('invalid_phone');
  expect(await errorCode(send({ p_phone: phone }))).toBe('invalid_input');
  expect(await errorCode(send({ p_note: phone, p_secret: secret }))).toBe('no_links');
  expect(await send({ p_phone: ` ${phone} `, p_secret: secret })).toBe(true);
  // The client repeats the request, as after a lost response.
  expect(await send({ p_phone: phone, p_secret: secret })).toBe(true);
  await join(ann, dog, later);
  const numbers = async (who: TestUser) =>
    (await mine(who, dog))?.sightings.map((sighting) => sighting.phone) ?? null;
  for (const user of [ann, keeper]) expect(await numbers(user)).toEqual([phone]);
  expect(await numbers(later)).toEqual([null]);
  for (const user of [walker, friend, eve]) expect(await numbers(user)).toBeNull();
  await readNotifications(ann, 'dogSighting');
  for (const table of ['notifications', 'pushes', 'jobs', 'local_mails', 'audit_log', 'job']) {
    const found = await admin.column<string>`select n.nspname || '.' || c.relname
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and c.relname = ${table}`;
    for (const relation of found)
      expect(
        await admin.value(`select count(*)::int from ${relation} r where r::text ~ '123.?4567'`),
      ).toBe(0);
  }
  for (const user of [ann, keeper])
    expect(JSON.stringify(await fixtures.exportOf(user.id))).not.toContain('123-4567');

  const [sighting] = (await mine(ann, dog))?.sightings ?? [];
  expect(sighting).toMatchObject({ answerable: true, answer: null });
  const read = (who: Caller, key: unknown = secret, of: unknown = code) =>
    who.call('tag_answer', { p_code: of, p_secret: key });
  expect(await read(anonymous)).toEqual({ answer: null });
  const answer = (who: TestUser, text = 'On my way') =>
    errorCode(
      who.call('answer_finder', {
        p_sighting_id: sighting?.id,
        p_answer: text,
      }),
    );
  for (const user of [walker, friend, eve]) expect(await answer(user)).toBe('already_answered');
  for (const text of [' ', `${LONG}x`]) expect(await answer(ann, text)).toBe('invalid_input');
  expect(await answer(keeper, LONG)).toBe('not refused');
  expect(await answer(ann, 'Second')).toBe('already_answered');
  expect(await read(anonymous)).toEqual({ answer: LONG });
  // Other secrets read nothing, nor does the same secret with another tag.
  for (let time = 0; time < 20; time += 1) expect(await read(eve, randomUUID())).toBeNull();
  expect(await read(anonymous, secret, randomUUID())).toBeNull();
  await ann.call('block_user', { p_user_id: eve.id });
  expect(await read(eve)).toBeNull();

  const stored = () =>
    admin.rows`select phone, answer, secret_hash is not null as kept from private.lost_dog_sightings where lost_id = ${lost}`;
  // When the card expires, the telephone number can no longer be read, and a job deletes it. The message stays for a day.
  await expire(lost, '1 second');
  expect([await numbers(ann), await read(anonymous)]).toEqual([[null], null]);
  await admin.rows`update private.jobs set due_at = now() where key = ${lost} || ' end'`;
  await readNotifications(ann, 'dogSighting');
  expect(await stored()).toEqual([{ phone: null, answer: null, kept: false }]);
  expect((await mine(ann, dog))?.sightings).toMatchObject([{ note: 'At the gate' }]);
  await lose(ann, dog, {});
  await send({ p_phone: phone, p_secret: randomUUID() });
  await decide(service, 'lost_dog', lost, 'spam');
  expect(await stored()).toEqual([
    { phone: null, answer: null, kept: false },
    { phone: null, answer: null, kept: false },
  ]);
});

test('the telephone number of a finder is deleted with the dog', async () => {
  const { ann, dog } = await dogOf();
  const code = await ann.call('dog_tag', { p_dog_id: dog });
  const lost = await lose(ann, dog);
  const sent = {
    p_code: code,
    p_note: null,
    p_phone: '+972 50-123-4567',
    p_secret: randomUUID(),
  };
  expect(await anonymous.call('send_from_tag', sent)).toBe(true);
  await ann.call('delete_dog', { dog_id: dog });
  expect(
    await admin.rows`select phone, secret_hash from private.lost_dog_sightings where lost_id = ${lost}`,
  ).toEqual([{ phone: null, secret_hash: null }]);
});

test('a walker who becomes a keeper, and a keeper who becomes the owner, read no telephone numbers from before', async () => {
  const { ann, dog } = await dogOf();
  const [walker, heir] = await fixtures.users('Walker', 'Heir');
  await join(ann, dog, walker, 'walker');
  const code = await ann.call('dog_tag', { p_dog_id: dog });
  await lose(ann, dog);
  const sent = {
    p_code: code,
    p_note: 'At the gate',
    p_phone: '+972 50-123-4567',
  };
  await anonymous.call('send_from_tag', { ...sent, p_secret: randomUUID() });
  for (const user of [walker, heir]) await join(ann, dog, user);
  const numbers = async (user: TestUser) =>
    (await mine(user, dog))?.sightings.map(({ phone }) => phone);
  expect(await numbers(walker)).toEqual([null]);
  await heir.call('offer_to_take_over', { p_dog_id: dog, p_offer: true });
  await ann.call('hand_over_dog', { p_dog_id: dog, p_user_id: heir.id });
  expect(await numbers(heir)).toEqual([null]);
});

test('a reported card waits for a moderator, who can hide it with its notifications, and undo that', async () => {
  const { ann, dog } = await dogOf();
  const eve = await fixtures.user('Eve');
  const lost = await lose(ann, dog);
  const photo = `${String(lost)}/photo-${randomUUID()}.webp`;
  await ann.rows(`insert into storage.objects (bucket_id, name) values ('lost-dogs', $1)`, [photo]);
  /** Returns the bucket to which the file is moved, and moves it. */
  const movesTo = () =>
    admin.value(
      `with job as (delete from private.jobs where type = 'move-photo' and payload ->> 'path' = $1 returning payload ->> 'to' as bucket)
       update storage.objects o set bucket_id = job.bucket from job where o.name = $1 returning o.bucket_id`,
      [photo],
    );
  await decide(service, 'lost_dog', lost);
  await eve.call('report_lost_card', { p_lost_id: lost, p_reason: 'fake' });
  const moderator = await fixtures.moderator('Mo');
  const item = (await moderator.call('desk_claim', {
    p_type: 'lost_dog',
    p_id: lost,
  })) as object;
  expect(item).toMatchObject({
    after: { dog: 'Rex' },
    reports: [{ reason: 'fake' }],
  });
  const decision = await decide(moderator, 'lost_dog', lost, 'not_true');
  expect(await cards(eve, lost)).toEqual([]);
  expect(await mine(ann, dog)).toMatchObject({ hidden: true, lost: false });
  expect(await movesTo()).toBe('pending-photos');
  expect(await readNotifications(eve, 'deskDecision')).toHaveLength(1);
  await moderator.call('desk_undo', { p_decision_id: decision });
  expect(await movesTo()).toBe('lost-dogs');
  expect(await cards(eve, lost)).toMatchObject([{ photo }]);
  // A hidden card takes its photo with it when it is deleted.
  await decide(moderator, 'lost_dog', lost, 'not_true');
  expect(await movesTo()).toBe('pending-photos');
  await ann.call('delete_dog', { dog_id: dog });
  await admin.rows('delete from private.lost_dogs where id = $1', [lost]);
  expect(
    await admin.column(
      `select payload ->> 'to' from private.jobs where type = 'move-photo' and payload ->> 'path' = $1`,
      [photo],
    ),
  ).toEqual([null]);
});

test('only owner and keepers see sightings, without names, and users who helped are thanked', async () => {
  const { ann, dog } = await dogOf();
  const [bob, eve, kay] = await fixtures.users('Bob', 'Eve', 'Kay');
  await join(ann, String(dog), kay);
  const lost = await lose(ann, dog);
  const id = await see(bob, lost);
  await see(bob, lost, id);
  const photo = (folder: string) => `${folder}/photo-${randomUUID()}.webp`;
  const add = (who: TestUser, bucket: string, name: string) =>
    errorCode(
      who.rows('insert into storage.objects (bucket_id, name) values ($1, $2)', [bucket, name]),
    );
  const first = photo(id);
  expect(await add(eve, 'sightings', photo(id))).toBe('42501');
  expect(await add(bob, 'sightings', first)).toBe('not refused');
  expect(await add(bob, 'sightings', photo(id))).toBe('42501');
  const face = photo(String(lost));
  // A concurrent upload does not add a second photo, because moderators would see only one of them.
  const insert = `insert into storage.objects (bucket_id, name) values ('lost-dogs', $1)`;
  const concurrent = await fixtures.hold(insert, [face]);
  const second = add(ann, 'lost-dogs', photo(String(lost)));
  await fixtures.waiting(1);
  await concurrent.end();
  expect(await second).toBe('42501');
  expect(await cards(eve, lost)).toMatchObject([{ photo: face }]);
  const card = await mine(ann, dog);
  expect(card?.sightings).toMatchObject([{ lat: 32.2, photo: first }]);
  expect(JSON.stringify(card)).not.toContain(bob.id);
  const files = (who: TestUser) =>
    who.rows('select 1 from storage.objects where name = $1', [first]);
  for (const keeper of [ann, kay]) {
    expect(await files(keeper)).toHaveLength(1);
    expect(await readNotifications(keeper, 'dogSighting')).toHaveLength(1);
  }
  expect(await readNotifications(eve, 'dogSighting')).toEqual([]);
  expect(await errorCode(see(eve, lost, id))).toBe('invalid_input');
  expect(await ann.call('found_dog', { p_dog_id: dog })).toBe(true);
  expect(await readNotifications(bob, 'dogFound')).toMatchObject([{ app_message: /Rex/ }]);
  expect(await readNotifications(eve, 'dogFound')).toEqual([]);
  expect(await errorCode(see(bob, lost))).toBe('not_lost');
  // The files are deleted too.
  expect(
    await service.rows`select path from claim_photo_moves(100) where path in (${first}, ${face})`,
  ).toHaveLength(2);
});

test('a card and its photo do not change unseen while a moderator approves it', async () => {
  const { ann, dog } = await dogOf();
  const lost = String(await lose(ann, dog));
  const moderator = await fixtures.moderator('Mo');
  const insert = `insert into storage.objects (bucket_id, name) values ('lost-dogs', $1)`;
  const photo = () => `${lost}/photo-${randomUUID()}.webp`;
  const { version } = (await claim(moderator, 'lost_dog', lost)) as { version: string };
  const approve = (shown: string | null) =>
    moderator.call('desk_decide', {
      p_type: 'lost_dog',
      p_id: lost,
      p_approve: true,
      p_version: shown,
    });
  const uploaded = await fixtures.hold(insert, [photo()]);
  const decided = errorCode(approve(version));
  await fixtures.waiting(1);
  await uploaded.end();
  expect(await decided).toBe('item_changed');
  await admin.rows('delete from storage.objects where name like $1', [`${lost}/%`]);
  await moderator.call('desk_release', { p_type: 'lost_dog', p_id: lost });
  const approved = await fixtures.hold(`select public.desk_decide('lost_dog', $1, true)`, [lost]);
  const late = errorCode(ann.rows(insert, [photo()]));
  await fixtures.waiting(1);
  await approved.end();
  expect(await late).toBe('42501');
});

test('files of cards and sightings have only the one name under which they are found', async () => {
  const { ann, dog } = await dogOf();
  const lost = String(await lose(ann, dog));
  const id = await see(ann, lost);
  for (const [bucket, folder] of [
    ['lost-dogs', lost],
    ['sightings', id],
  ] as const)
    expect(
      await errorCode(
        ann.rows('insert into storage.objects (bucket_id, name) values ($1, $2)', [
          bucket,
          `${folder.toUpperCase()}/photo-${randomUUID()}.webp`,
        ]),
      ),
    ).toBe('42501');
});

test('a removed keeper exports no card, sighting or tag; a current keeper does', async () => {
  const { ann, dog } = await dogOf();
  const [former, keeper, bob] = await fixtures.users('Former', 'Keeper', 'Bob');
  for (const user of [former, keeper]) await join(ann, String(dog), user);
  const lost = await lose(former, dog);
  await admin.rows`update private.lost_dogs set approved_at = now() where id = ${lost}`;
  await see(bob, lost);
  await ann.call('dog_tag', { p_dog_id: dog });
  await ann.call('block_user', { p_user_id: former.id });
  for (const [user, many] of [
    [former, 0],
    [keeper, 1],
    [ann, 1],
  ] as const) {
    const copy = await fixtures.exportOf(user.id);
    expect([copy.lost_dogs, copy.dog_tags]).toMatchObject([{ length: many }, { length: many }]);
    expect(JSON.stringify(copy.lost_dogs).includes('32.2')).toBe(many === 1);
  }
});

test('a tag reveals nothing while the dog is at home, like an unknown tag; a new URL replaces the old one', async () => {
  const { ann, dog } = await dogOf();
  const bob = await fixtures.user('Bob');
  const tag = (more: object = {}) => ann.call('dog_tag', { p_dog_id: dog, ...more });
  expect(await errorCode(bob.call('dog_tag', { p_dog_id: dog }))).toBe('dog_not_found');
  const code = await tag();
  expect(await tag()).toBe(code);
  const ask = async (of: unknown) => [
    await anonymous.call('tag_card', { p_code: of }),
    await anonymous.call('send_from_tag', { p_code: of, p_note: 'Here' }),
  ];
  expect(await ask(code)).toEqual([null, false]);
  expect(await ask(randomUUID())).toEqual([null, false]);
  const lost = await lose(ann, dog);
  expect(await ask(code)).toEqual([{ name: 'Rex', photo: null }, true]);
  await expire(lost, '1 hour');
  expect(await ask(code)).toEqual([null, false]);
  await lose(ann, dog, {});
  const write = (note: string, of: unknown = code) =>
    errorCode(anonymous.call('send_from_tag', { p_code: of, p_note: note }));
  for (const note of [
    'see https://x.example',
    'x.example',
    'me@x',
    'call 050-123-4567',
    '0 5 0 1 2 3 4 5 6 7',
    '050\u200b1234\u2060567',
    '050_123*4567',
    '०५०१२३४५६७',
    'look at example\u3002com',
    'example . com',
    'exa\u00admple.c\u200bom',
    '۰۵۰۱۲۳۴۵۶',
    'ｘ．ｅｘａｍｐｌｅ',
  ])
    expect(await write(note)).toBe('no_links');
  for (const note of [`${LONG}x`, ' ']) expect(await write(note)).toBe('invalid_input');
  expect((await mine(ann, dog))?.sightings).toMatchObject([{ note: 'Here', lat: null }]);
  const next = await tag({ p_replace: true });
  expect(await ask(code)).toEqual([null, false]);
  await ann.call('block_user', { p_user_id: bob.id });
  expect(await bob.call('tag_card', { p_code: next })).toBeNull();
});

test('messages to a tag before the dog is lost do not block later ones of finders', async () => {
  const { ann, dog } = await dogOf();
  const code = await ann.call('dog_tag', { p_dog_id: dog });
  const write = () => anonymous.call('send_from_tag', { p_code: code, p_note: 'Here' });
  for (let time = 0; time < 11; time += 1) expect(await write()).toBe(false);
  await lose(ann, dog);
  expect(await write()).toBe(true);
  expect(await readNotifications(ann, 'dogSighting')).toHaveLength(1);
});

test.each([
  ['tag_card', '', 120],
  ['send_from_tag', `, 'Here'`, 10],
  ['scan_friend_code', `, 'key'`, 120],
])('%s is limited per hour and IP address, for all codes together', async (name, words, most) => {
  const requestFrom = (address: string) =>
    errorCode(
      anonymous.rows(
        `with address as materialized (select set_config('request.headers', $1, true))
         select ${name}($2${words}) from address`,
        [JSON.stringify({ 'x-forwarded-for': address }), randomUUID()],
      ),
    );
  for (let time = 0; time < most; time += 1)
    expect(await requestFrom('192.0.2.1')).toBe('not refused');
  expect([await requestFrom('192.0.2.1'), await requestFrom('192.0.2.2')]).toEqual([
    'too_many',
    'not refused',
  ]);
});

test('a card is deleted a day after it ended, or 30 days after a moderator hid it', async () => {
  const { ann, dog } = await dogOf();
  const { ann: bea, dog: other } = await dogOf();
  const [lost, hidden] = [await lose(ann, dog), await lose(bea, other)];
  await decide(service, 'lost_dog', hidden, 'spam');
  const left = async () => {
    await admin.rows('select private.reduce_history()');
    return admin.rows`select id from private.lost_dogs where id in (${lost}, ${hidden})`;
  };
  await expire(lost, '23 hours');
  await expire(hidden, '25 hours');
  expect(await left()).toHaveLength(2);
  await expire(lost, '25 hours');
  expect(await left()).toEqual([{ id: hidden }]);
  await admin.rows`update private.lost_dogs set hidden_at = now() - interval '31 days' where id = ${hidden}`;
  expect(await left()).toEqual([]);
});

test('moderators can publish the card of their own dog only if nobody else was a moderator for 30 days', async () => {
  await admin.rows('delete from user_roles');
  await admin.rows('delete from private.former_moderators');
  const park = await fixtures.park();
  const fan = await fixtures.user('Fan');
  await fan.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  const stale = await fixtures.moderator('Stale');
  const publish = (who: Caller, id: unknown) =>
    errorCode(who.call('desk_publish_own_card', { p_id: id }));
  const own = (who: Caller) => who.rows('select * from desk_own_items()');
  const stales = await lose(stale, await addDog(stale, 'Stale'));
  expect(await publish(fixtures.withPasswordOnly(stale), stales)).toBe('42501');
  expect(await publish(stale, stales)).toBe('reauthentication_needed');
  await service.call('desk_set_role', { p_user_id: stale.id, p_role: null });

  const alone = await fixtures.moderator('Alone', { fresh: true });
  const lost = await lose(alone, await addDog(alone, 'Own'));
  const waits = (may: boolean) => [{ type: 'lost_dog', id: lost, may_publish: may }];
  // For the author, a card looks the same whether or not other users have reported it.
  await admin.rows`insert into private.lost_dog_reports (lost_id, reporter, reason) values (${lost}, ${fan.id}, 'fake')`;
  expect([await own(alone), await publish(alone, lost)]).toEqual([waits(false), '42501']);
  await admin.rows(`update private.former_moderators set left_at = now() - interval '31 days'`);
  const other = await fixtures.moderator('Other');
  expect([await own(alone), await publish(alone, lost)]).toEqual([waits(false), '42501']);
  expect(await own(other)).toEqual([]);
  await admin.rows('delete from auth.users where id = $1', [other.id]);
  expect([await own(alone), await publish(alone, lost)]).toEqual([waits(false), '42501']);
  await admin.rows(`update private.former_moderators set left_at = now() - interval '31 days'`);
  expect(await own(alone)).toEqual(waits(true));
  expect(await publish(alone, stales)).toBe('already_decided');
  expect(await errorCode(decide(alone, 'lost_dog', lost))).toBe('42501');
  expect(await cards(fan, lost)).toEqual([]);
  const decision = await alone.call('desk_publish_own_card', { p_id: lost });
  expect([await own(alone), await publish(alone, lost)]).toEqual([[], 'already_decided']);
  expect(await cards(fan, lost)).toHaveLength(1);
  expect(await readNotifications(fan, 'lostDog')).toHaveLength(1);
  expect(
    await admin.rows`select act, item from private.audit_log order by id desc limit 1`,
  ).toEqual([{ act: 'publish_own_card', item: `lost_dog:${String(lost)}` }]);
  expect(
    await admin.rows`select payload from private.jobs where key = ${`own_card ${String(decision)}`}`,
  ).toEqual([{ payload: { user_id: alone.id, about: 'own_card' } }]);
  // The report about the card still waits for another moderator. The operator revokes the publication.
  expect(
    await admin.value`select count(*)::int from private.lost_dog_reports where lost_id = ${lost} and resolved_at is null`,
  ).toBe(1);
  expect(await service.call('desk_undo', { p_decision_id: decision })).toBe(true);
  expect(await cards(fan, lost)).toEqual([]);
});

test('moderators are notified of a card that waits within a minute, and of further cards after 15 minutes', async () => {
  await admin.rows('delete from user_roles');
  const mo = await fixtures.moderator('Mo');
  const notified = async (minutesAgo: number, card: () => Promise<unknown>) => {
    await admin.rows`update private.lost_dogs set approved_at = now()`;
    await admin.rows`update user_roles set notified_at = now() - make_interval(mins => ${minutesAgo})`;
    await card();
    return admin.value('select private.notify_desk()');
  };
  const newcomers = async () => {
    const user = await fixtures.user('New');
    return lose(user, await addDog(user));
  };
  const locals = async () => {
    const { ann, dog } = await dogOf();
    return lose(ann, dog);
  };
  expect(await notified(2, newcomers)).toBe(1);
  expect(await readNotifications(mo, 'deskWaiting')).toHaveLength(1);
  expect(
    await admin.value`select count(*)::int from private.jobs where key = ${`waiting ${mo.id}`}`,
  ).toBe(1);
  expect(await notified(0, newcomers)).toBe(0);
  expect(await notified(2, locals)).toBe(0);
  await mo.call('desk_next');
  expect(await notified(16, locals)).toBe(1);
});
