// Tests notifications of good times: receivers, the limit of one a day, and privacy.
import { beforeAll, expect, test } from 'vitest';
import { DAY } from '../../app/src/features/favourites/good-hours.ts';
import { createFixtures, errorCode, type TestUser, subscribe } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous, service } = fixtures;
const SAID = { reasons: 'mild dry', temperature: 22 };

/** Sets a time zone of the site in which it is noon now. */
beforeAll(async () => {
  const west = new Date().getUTCHours() - 12;
  const zone = `Etc/GMT${west < 0 ? west : `+${west}`}`;
  await admin.rows`update private.site_settings set time_zone = ${zone}`;
});

const watch = (user: TestUser, park: number, from: number | null = 9, to: number | null = 15) =>
  user.rows`insert into favourite_parks (park_id) values (${park}) on conflict do nothing`.then(
    () =>
      user.rows`update favourite_parks set good_from = ${from}, good_to = ${to} where park_id = ${park} returning park_id`,
  );
const goodAt = (...parks: number[]) =>
  service.call('notify_of_good_times', {
    p_parks: Object.fromEntries(parks.map((park) => [park, SAID])),
  });
const told = (user: TestUser) =>
  user.rows`select app_message, data ->> 'park_id' as park from notifications where type = 'goodTime' order by created_at`;

test('each user who waits at this hour is notified of one park a day, the first favourite', async () => {
  const [first, second] = [await fixtures.park('First Park'), await fixtures.park('Second Park')];
  const [ann, late, muted, off, fan] = await fixtures.users('Ann', 'Late', 'Muted', 'Off', 'Fan');
  const dana = await fixtures.user('דנה', { language: 'he' });
  for (const park of [first, second]) await watch(ann, park);
  await watch(late, first, 18, 20);
  await watch(muted, first);
  await muted.rows`insert into notifications_preferences (muted) values (true)`;
  await watch(off, first);
  await off.rows`insert into notifications_preferences (good_time) values (false)`;
  await watch(fan, first, null, null);
  await watch(dana, second);

  const waiting = await service.call('good_time_parks');
  expect(waiting).toMatchObject({ parks: [{ id: second }, { id: first }] });
  for (const { id } of [ann, dana]) expect(JSON.stringify(waiting)).not.toContain(id);

  expect(await goodAt(first, second)).toBe(2);
  expect(await goodAt(first, second)).toBe(0);
  expect(await service.call('good_time_parks')).toMatchObject({ parks: [] });
  expect(await told(ann)).toEqual([
    {
      app_message: '⁨First Park⁩ is good now and for the next hour: ⁨pleasant, 22° · no rain expected⁩',
      park: String(first),
    },
  ]);
  expect(await told(dana)).toMatchObject([{ park: String(second) }]);
  expect((await told(dana))[0]?.app_message).toMatch(/^⁨Second Park⁩: .*נעים/);
  for (const user of [late, muted, off, fan]) expect(await told(user)).toEqual([]);

  // Adding the favourite again causes no second notification on the same day.
  await ann.rows`delete from favourite_parks where park_id = ${first}`;
  await watch(ann, first);
  expect(await goodAt(first)).toBe(0);
  await admin.rows`update notifications set created_at = created_at - interval '1 day' where type = 'goodTime'`;
  expect(await goodAt(first)).toBe(1);
});

test('a user waits for at most ten parks, and the parks with the most waiting users come first', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const parks: number[] = [];
  for (let made = 0; made < 12; made += 1) {
    parks.push(await fixtures.park());
    await watch(ann, parks[made] as number);
  }
  for (const park of parks.slice(-3)) await watch(bob, park, 9, 14);
  const ids = async () =>
    ((await service.call('good_time_parks')) as { parks: { id: number }[] }).parks
      .map(({ id }) => id)
      .filter((id) => parks.includes(id));
  expect(await ids()).toEqual([parks[9], ...parks.slice(0, 9), ...parks.slice(-2)]);
  await watch(ann, parks[0] as number, null, null);
  expect(await ids()).toEqual([parks[9], parks[10], ...parks.slice(1, 9), parks[11]]);
});

test('two concurrent runs notify each user once', async () => {
  const park = await fixtures.park();
  const crowd = await fixtures.crowd(5);
  for (const user of crowd) await watch(user, park);
  const runs = await Promise.all([goodAt(park), goodAt(park), goodAt(park)]);
  expect(runs.toSorted()).toEqual([0, 0, 5]);
});

test('the push makes no sound, expires after half an hour, and is not sent after it was turned off', async () => {
  const park = await fixtures.park();
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  for (const user of [ann, bob]) {
    await subscribe(user);
    await watch(user, park);
  }
  await goodAt(park);
  await watch(bob, park, null, null);
  const pushes =
    await service.rows`select type, urgency, seconds from claim_pushes(p_type => 'send-web-push')`;
  expect(pushes).toMatchObject([{ type: 'goodTime', urgency: 'low' }]);
  expect(pushes[0]?.seconds).toBeLessThanOrEqual(1800);
});

test('other users cannot see or change the hours, and hours of the night cannot be chosen', async () => {
  const park = await fixtures.park();
  const [ann, friend] = await fixtures.users('Ann', 'Friend');
  await fixtures.befriend(ann, friend);
  await ann.rows`update users set show_favourites = true where id = ${ann.id}`;
  await watch(ann, park, DAY.from, DAY.to);
  expect(await friend.call('favourites_of', { p_user_id: ann.id })).toBe(String(park));
  const hours = 'select good_from from favourite_parks where park_id = $1';
  expect(await friend.rows(hours, [park])).toEqual([]);
  expect(await errorCode(anonymous.rows(hours, [park]))).toBe('42501');
  expect(
    await friend.rows`update favourite_parks set good_from = null, good_to = null where park_id = ${park} returning 1`,
  ).toEqual([]);
  for (const who of [ann, anonymous]) {
    expect(await errorCode(who.call('good_time_parks'))).toBe('42501');
    expect(await errorCode(who.call('notify_of_good_times', { p_parks: {} }))).toBe('42501');
  }
  expect(
    await errorCode(
      ann.rows`update favourite_parks set created_at = now() where park_id = ${park}`,
    ),
  ).toBe('42501');
  const wrong: [number | null, number | null][] = [
    [DAY.from - 1, 8],
    [5, DAY.to + 1],
    [20, 18],
    [9, 9],
    [null, 9],
    [9, null],
  ];
  for (const [from, to] of wrong)
    expect(await errorCode(watch(ann, park, from, to)), `${from} ${to}`).toBe('23514');
});

test('a user has at most 300 favourites, also when a request is repeated', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const parks = await admin.rows<{ id: number }>(
    `insert into parks (lat, long, status) select 31, 35, 'approved' from generate_series(1, 301) returning id::int`,
  );
  const [last, ...others] = parks.map(({ id }) => id) as [number, ...number[]];
  const add = (user: TestUser, park: number) =>
    user.rows`insert into favourite_parks (park_id) values (${park}) on conflict do nothing`;
  await ann.rows`insert into favourite_parks (park_id) select unnest(${others}::bigint[])`;
  expect(await errorCode(add(ann, last))).toBe('too_many');
  await add(ann, others[0] as number);
  await add(bob, last);
  await ann.rows`delete from favourite_parks where park_id = ${others[0]}`;
  await add(ann, last);
  expect(await ann.value`select count(*)::int from favourite_parks`).toBe(300);
});
