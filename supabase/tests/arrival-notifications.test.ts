// Tests notifications that a friend is at a park: their receivers, limits and messages, and when they are deleted.
import { beforeEach, expect, test } from 'vitest';
import {
  ARRIVAL_CHOICES,
  PLAN_GRACE,
  UNDO_OFFERED_MS,
} from '../../app/src/features/check-ins/check-in-limits.ts';
import { createFixtures, errorCode, type TestUser, subscribe } from './fixtures.ts';

let park: number;
const fixtures = await createFixtures();
const { admin } = fixtures;
beforeEach(async () => {
  park = await fixtures.park('HaPisga');
});

const wants = (user: TestUser) =>
  admin.rows`insert into notifications_preferences (user_id, friend_there) values (${user.id}, true)
     on conflict (user_id) do update set friend_there = true`;
const favour = (user: TestUser) =>
  admin.rows`insert into favourite_parks (user_id, park_id) values (${user.id}, ${park})`;
const checkIn = (user: TestUser, at = park) =>
  user.call('check_in', { p_park_id: at, p_dog_count: 1, p_switch: true });
/** Runs the notification job as if the time for undoing had passed. */
async function tell(): Promise<void> {
  await admin.rows`update private.jobs set due_at = now() where type = 'notify-of-arrival'`;
  await admin.rows('select private.notify_of_arrivals()');
}
const claim = async (type = 'send-web-push') =>
  (await fixtures.service.rows('select * from claim_pushes(p_type => $1)', [type]))[0];
const notificationCount = async (user: TestUser) =>
  (await user.rows(`select sender_id from notifications where type = 'friendThere'`)).length;

/** Creates two friends who both want the notifications. The second has the park as a favourite. */
async function friends(): Promise<[TestUser, TestUser]> {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await fixtures.befriend(ann, bob);
  for (const user of [ann, bob]) await wants(user);
  await favour(bob);
  return [ann, bob];
}

test('an arrival notification is sent once per visit, to browsers with the name, to phones without name and park', async () => {
  const [ann, bob] = await friends();
  await bob.rows`insert into device_tokens (device_id, platform, token) values ('phone of Bob', 'android', 'token of Bob')`;
  await subscribe(bob);
  await checkIn(ann);
  const wait = await admin.value`select round(extract(epoch from j.due_at - c.started_at)) * 1000
    from private.jobs j, check_ins c where j.type = 'notify-of-arrival' and c.user_id = ${ann.id}`;
  expect(Number(wait)).toBeGreaterThanOrEqual(UNDO_OFFERED_MS);
  expect(await admin.rows('select private.notify_of_arrivals()')).toHaveLength(1);
  expect(await notificationCount(bob)).toBe(0);
  await tell();
  await checkIn(ann);
  const visit = await admin.value`select id from check_ins where user_id = ${ann.id}`;
  await ann.call('extend_stay', { p_visit_id: visit, p_minutes: 15 });
  await tell();
  expect(await notificationCount(bob)).toBe(1);
  const phone = await claim('send-push');
  expect([phone?.title, phone?.body, phone?.data]).toEqual([
    'A friend is at a park',
    'Open Packpark to see who and where',
    {},
  ]);
  const browser = await claim();
  expect(browser?.body).toMatch(/Ann.+ is at .+HaPisga/);
  expect(browser?.seconds).toBeLessThanOrEqual(3600);
});

test('an arrival notification is deleted with the visit, and with the friendship', async () => {
  const [ann, bob] = await friends();
  await checkIn(ann);
  await tell();
  await fixtures.leave(ann);
  expect(await notificationCount(bob)).toBe(0);
  await checkIn(ann);
  await tell();
  expect(await notificationCount(bob)).toBe(1);
  await bob.call('unfriend', { p_user_id: ann.id });
  expect(await notificationCount(bob)).toBe(0);
});

test.each<[string, (ann: TestUser, bob: TestUser) => Promise<unknown>]>([
  ['an undone visit', async (ann) => fixtures.leave(ann)],
  [
    'a visit that has ended',
    (ann) => admin.rows('update check_ins set expires_at = now() where user_id = $1', [ann.id]),
  ],
  [
    'a user who does not want it',
    (ann) =>
      admin.rows`update notifications_preferences set friend_there = false where user_id = ${ann.id}`,
  ],
  [
    'a park where the friend does not go',
    (_, bob) => admin.rows('delete from favourite_parks where user_id = $1', [bob.id]),
  ],
  ['a friend who is there already', (_, bob) => checkIn(bob)],
])('no notification for %s', async (_, change) => {
  const [ann, bob] = await friends();
  await checkIn(ann);
  await change(ann, bob);
  await tell();
  expect(await notificationCount(bob)).toBe(0);
});

test.each<[string, boolean, (bob: TestUser, ann: TestUser) => Promise<unknown>]>([
  ['was there three weeks ago', true, (bob) => fixtures.visited(park, [bob], 21)],
  ['was there five weeks ago', false, (bob) => fixtures.visited(park, [bob], 35)],
  ['meets there today', true, (bob, ann) => meet(bob, ann, 'accepted')],
  ['meets there tomorrow', false, (bob, ann) => meet(bob, ann, 'accepted', 1)],
  ['was invited to meet there', false, (bob, ann) => meet(bob, ann, 'pending')],
  ['is at a park two kilometres away', true, async (bob) => checkIn(bob, await away(0.018))],
  ['is at a park four kilometres away', false, async (bob) => checkIn(bob, await away(0.036))],
])('a friend who %s is notified: %s', async (_, is, arrange) => {
  const [ann, bob] = await friends();
  await admin.rows('delete from favourite_parks where user_id = $1', [bob.id]);
  await arrange(bob, ann);
  await checkIn(ann);
  await tell();
  expect(await notificationCount(bob)).toBe(is ? 1 : 0);
});

const meet = (guest: TestUser, host: TestUser, status: string, inDays = 0) =>
  admin.rows`insert into park_invites (park_id, sender_id, receiver_id, meet_at, status)
     values (${park}, ${host.id}, ${guest.id}, now() + make_interval(days => ${inDays}), ${status})`;

/** Creates a park that is this many degrees north of the other one. */
async function away(degrees: number): Promise<number> {
  const other = await fixtures.park();
  await admin.rows('update parks set lat = lat + $2 where id = $1', [other, degrees]);
  return other;
}

test('friends are notified of a plan as of a visit, also at the park; checking in replaces the plan', async () => {
  const [ann, bob] = await friends();
  const eve = await fixtures.user('Eve');
  await wants(eve);
  await favour(eve);
  await subscribe(bob);
  await checkIn(bob);
  const far = {
    p_park_id: park,
    p_dog_count: 1,
    p_location: { lat: 31, long: 34.8, accuracy: 10 },
  };
  expect(await ann.call('check_in', far)).toMatchObject({ status: 'planned' });
  await tell();
  const types = (user: TestUser) =>
    user.rows`select type::text, app_message from notifications where type::text like 'friend%'
      and type <> 'friendApproval' and type <> 'friendRequest'`;
  expect(await types(bob)).toMatchObject([{ type: 'friendComing' }]);
  expect(await types(eve)).toEqual([]);
  const coming = await claim();
  expect(coming?.seconds).toBeLessThanOrEqual(7200);
  await fixtures.leave(bob);
  await checkIn(ann);
  expect(await types(bob)).toEqual([]);
  await tell();
  expect(await types(bob)).toMatchObject([{ type: 'friendThere' }]);
  // The newer push has the same topic, so it replaces the push that the device has not received yet.
  expect((await claim())?.topic).toBe(coming?.topic);
});

test('a user on the way is not at the park: friends are notified of the arrival time until the plan ends', async () => {
  const [ann, bob] = await friends();
  const [place] = await admin.rows('select lat, long from parks where id = $1', [park]);
  const announce = (minutes: number) =>
    ann.call('check_in', { p_park_id: park, p_arrives_in: minutes, p_location: place });
  const latest = Math.max(...ARRIVAL_CHOICES);
  for (const minutes of [0, latest + 1])
    expect(await errorCode(announce(minutes))).toBe('invalid_input');
  const notified = () =>
    bob.rows`select app_message from notifications where type in ('friendComing', 'friendThere')`;
  const plans = () =>
    admin.rows`select round(extract(epoch from arrives_at - now()) / 60)::int as arrives,
        round(extract(epoch from expires_at - now()) / 60)::int as expires, type, counted, is_located
      from check_ins where user_id = ${ann.id}`;
  const end = async (how: (visitId: string) => Promise<unknown>) => {
    const { check_in_id } = (await announce(latest)) as { check_in_id: string };
    await tell();
    expect(await notified()).toHaveLength(1);
    await how(check_in_id);
    expect([await plans(), await notified()]).toEqual([[], []]);
  };
  expect(await announce(20)).toMatchObject({ status: 'planned', stay: { type: 'plan' } });
  expect(await plans()).toEqual([
    { arrives: 20, expires: 20 + PLAN_GRACE, type: 'plan', counted: false, is_located: false },
  ]);
  // A check-in before the arrival changes nothing.
  const early = { p_park_id: park, p_location: { lat: 31, long: 34.8, accuracy: 10 } };
  const [kept, result] = [await plans(), await ann.call('check_in', early)];
  expect([result, await plans()]).toMatchObject([{ status: 'planned' }, kept]);
  expect(await bob.call('park_status', { p_park_id: park })).toMatchObject({
    dogs_now: 0,
    friends_here: [],
  });
  await tell();
  expect(await notified()).toEqual([
    { app_message: expect.stringMatching(/Ann.+ is coming to .+HaPisga.+ about .\d\d:\d\d/) },
  ]);
  await end((p_visit_id) => ann.call('undo_check_in', { p_visit_id }));
  await end(async () => {
    await admin.rows('update check_ins set expires_at = now() where user_id = $1', [ann.id]);
    await admin.rows('select private.end_expired_visits()');
  });
});

test.each<[string, (ann: TestUser, bob: TestUser) => Promise<unknown>]>([
  ['the friend hides', (ann) => ann.rows('update users set hidden = true where id = $1', [ann.id])],
  [
    'the friend turns it off',
    (ann) => ann.rows('update notifications_preferences set friend_there = false'),
  ],
  [
    'the receiver turns it off',
    (_, bob) => bob.rows('update notifications_preferences set friend_there = false'),
  ],
])('%s: the notification and its push are withdrawn', async (_, change) => {
  const [ann, bob] = await friends();
  await subscribe(bob);
  await checkIn(ann);
  await tell();
  expect(await notificationCount(bob)).toBe(1);
  await change(ann, bob);
  expect(await notificationCount(bob)).toBe(0);
  expect(await claim()).toBeUndefined();
});

test('a waiting push is not delivered if its condition no longer holds', async () => {
  const [ann, bob] = await friends();
  await subscribe(bob);
  await checkIn(ann);
  await tell();
  // Simulates a notification that was published at the same time as Ann hid.
  await admin.rows('alter table users disable trigger withdraw_arrivals');
  await ann.rows('update users set hidden = true where id = $1', [ann.id]);
  await admin.rows('alter table users enable trigger withdraw_arrivals');
  expect(await notificationCount(bob)).toBe(1);
  expect(await claim()).toBeUndefined();
});

test('one friend causes at most four arrival notifications a day, undone visits included; other friends are not affected', async () => {
  const [ann, bob] = await friends();
  for (let time = 0; time < 5; time += 1) {
    await checkIn(ann);
    await tell();
    expect(await notificationCount(bob)).toBe(time < 4 ? 1 : 0);
    const visit =
      await admin.value`select id from check_ins where user_id = ${ann.id} and ended_at is null`;
    await ann.call('undo_check_in', { p_visit_id: visit });
  }
  const cem = await fixtures.user('Cem');
  await fixtures.befriend(cem, bob);
  await wants(cem);
  await checkIn(cem);
  await tell();
  expect(await notificationCount(bob)).toBe(1);
});
