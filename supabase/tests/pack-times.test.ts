// Tests pack times: who creates, joins and skips them, what other users learn about them, and how they end.
import { expect, test } from 'vitest';
import { createFixtures, errorCode, type Caller, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;

interface PackTime {
  id: string;
  starts: string;
  meet_at: string;
  dogs: number | null;
  joined: boolean;
  skips: boolean;
  friends: { name: string; made_it: boolean }[];
}

const seen = async (who: Caller, park: number) =>
  (await who.call('park_pack_times', { p_park_id: park })) as PackTime[];
const make = (who: TestUser, park: number, weekday = 2) =>
  who.call('make_pack_time', { p_park_id: park, p_weekday: weekday, p_starts: '18:00' });
const answer = (who: TestUser, id: unknown, comes: boolean, skip: unknown = null) =>
  who.call('respond_to_pack_time', { p_pack_time_id: id, p_comes: comes, p_skip: skip });

/** Adds visits so long ago that they do not count as visits of the meeting. */
const haveBeenAt = (park: number, users: readonly TestUser[]) => fixtures.visited(park, users, 40);

/** Creates a weekly meeting on Tuesdays by Ann, a regular. Bob is her friend. */
async function pack() {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await fixtures.befriend(ann, bob);
  await fixtures.regulars([ann, bob]);
  const park = await fixtures.park('HaPisga');
  await haveBeenAt(park, [ann, bob]);
  const id = await make(ann, park);
  return { ann, bob, park, id };
}

/** Adds visits of the users, with two dogs each, at a past time of the meeting. */
const cameTo = (id: unknown, users: readonly TestUser[], weeksAgo = 1) =>
  admin.rows`insert into check_ins (user_id, park_id, dog_count, started_at, expires_at, ended_at)
     select u, t.park_id, 2, m, m + interval '1 hour', m + interval '30 minutes'
     from private.pack_times t, unnest(${users.map((user) => user.id)}::uuid[]) u,
       lateral (select (private.park_time(private.next_meeting_time(t)) - make_interval(days => 7 * ${weeksAgo}))
         at time zone private.time_zone() as m) moment
     where t.id = ${id}`;

const expire = () =>
  admin.rows`do $$ begin execute (select statement from private.retention where name like 'pack times%'); end $$`;

test('a regular creates a weekly meeting, and a friend who creates the same one joins it; a newcomer cannot create one', async () => {
  const { ann, bob, park, id } = await pack();
  expect(await make(bob, park)).toBe(id);
  const newcomer = await fixtures.user('New');
  expect(await errorCode(make(newcomer, park))).toBe('regulars_only');
  for (const starts of ['18:07', '24:00', null])
    expect(
      await errorCode(
        ann.call('make_pack_time', { p_park_id: park, p_weekday: 1, p_starts: starts }),
      ),
    ).toBe('invalid_input');
  for (const weekday of [3, 4]) await make(ann, park, weekday);
  expect(await errorCode(make(ann, park, 5))).toBe('too_many');
});

test('a user comes to at most 14 weekly meetings, and can join another one after leaving one', async () => {
  const { bob, park, id } = await pack();
  await answer(bob, id, true);
  const stays = await admin.rows`with made as (
      insert into private.pack_times (park_id, weekday, starts)
      select ${park}, 3, make_time(hour, 0, 0) from generate_series(1, 13) hour returning id)
    insert into private.pack_time_members (pack_time_id, user_id) select id, ${bob.id} from made returning pack_time_id as id`;
  await answer(bob, id, true);
  expect(await errorCode(make(bob, park, 4))).toBe('too_many');
  await answer(bob, stays[0]?.id, false);
  await make(bob, park, 4);
});

test("a weekly meeting is among the user's meetings, can be skipped once, and is in the calendar", async () => {
  const { ann, bob, park, id } = await pack();
  await admin.rows`update private.pack_times set weekday = extract(dow from private.park_day() + 2) where id = ${id}`;
  await answer(bob, id, true);
  const secret = await bob.call('make_calendar_feed');
  const events = async () => {
    const calendar = (await fixtures.calendarOf(secret)) as { events: { answer: string }[] };
    return calendar.events.map((event) => event.answer);
  };
  const meetings = () => bob.rows('select * from my_meetings()');
  const [meeting] = await meetings();
  expect(meeting).toMatchObject({
    park_id: String(park),
    pack_time_id: id,
    status: 'accepted',
    host_name: 'Ann',
    guests: [{ name: 'Ann' }],
  });
  expect(await events()).toEqual(['accepted']);
  await answer(bob, id, false, meeting?.meet_at);
  expect(await meetings()).toMatchObject([{ status: 'declined' }]);
  expect((await ann.rows('select * from my_meetings()'))[0]).toMatchObject({ guests: [] });
  expect(await events()).toEqual(['declined']);
  await answer(bob, id, true);
  expect(await meetings()).toMatchObject([{ status: 'accepted' }]);
  await answer(bob, id, false);
  expect(await meetings()).toEqual([]);
  expect(await events()).toEqual(['cancelled']);
});

test('while a meeting is in progress, the next one is among the meetings, too', async () => {
  const { bob, id } = await pack();
  await answer(bob, id, true);
  await admin.rows`update private.pack_times set weekday = extract(dow from m), starts = m::time
    from (select date_bin('15 minutes', private.park_time() - interval '2 hours', '2000-01-01') as m) begun where id = ${id}`;
  expect(
    await bob.column(
      'select round(extract(epoch from private.park_time(meet_at) - private.park_time()) / 3600)::int from my_meetings()',
    ),
  ).toEqual([-2, 7 * 24 - 2]);
});

test('everybody sees a weekly meeting once three regulars come, and its number of dogs once three were there', async () => {
  const { ann, bob, park, id } = await pack();
  const cem = await fixtures.user('Cem');
  await fixtures.befriend(bob, cem);
  expect(await seen(anonymous, park)).toEqual([]);
  await answer(bob, id, true);
  await answer(cem, id, true);
  // Members without visits, such as Cem and twenty more accounts, do not count.
  for (let number = 0; number < 20; number += 1)
    await admin.rows(
      'insert into private.pack_time_members (pack_time_id, user_id) values ($1, $2)',
      [id, (await fixtures.user(`Account ${String(number)}`)).id],
    );
  expect(await seen(anonymous, park)).toEqual([]);
  // A regular of other parks does not count either.
  await fixtures.regulars([cem]);
  expect(await seen(anonymous, park)).toEqual([]);
  await haveBeenAt(park, [cem]);
  await cameTo(id, [ann, bob]);
  expect(await seen(anonymous, park)).toMatchObject([
    { starts: '18:00', dogs: null, joined: false, friends: [] },
  ]);
  const newcomer = await fixtures.user('New');
  await answer(newcomer, id, true);
  await cameTo(id, [newcomer]);
  expect(await seen(anonymous, park)).toMatchObject([{ dogs: null }]);
  await cameTo(id, [cem]);
  expect(await seen(anonymous, park)).toMatchObject([{ dogs: 6 }]);
});

test('users who see a weekly meeting can join it and read the name of a friend who made it; blocked users cannot', async () => {
  const { ann, park } = await pack();
  const others = await fixtures.users('Dan', 'Eli');
  await fixtures.regulars(others);
  await haveBeenAt(park, others);
  for (const other of others) {
    await fixtures.befriend(ann, other);
    await make(other, park);
  }
  const [stranger, friend, blocked] = await fixtures.users('Eve', 'Fay', 'Gil');
  await fixtures.befriend(ann, friend);
  await ann.call('block_user', { p_user_id: blocked.id });
  const [{ id } = { id: '' }] = await seen(stranger, park);
  expect(await errorCode(answer(blocked, id, true))).toBe('pack_time_not_found');
  for (const [who, host] of [
    [stranger, null],
    [friend, 'Ann'],
  ] as const) {
    await answer(who, id, true);
    const [meeting] = await who.rows('select * from my_meetings()');
    expect(meeting).toMatchObject({ host_name: host });
    expect((await seen(who, park))[0]?.friends).toMatchObject(host ? [{ made_it: true }] : []);
  }
});

test('a stranger or blocked user who enters the time of an existing meeting creates another one, and learns nothing of it', async () => {
  const { ann, bob, park, id } = await pack();
  const [stranger, blocked] = await fixtures.users('Eve', 'Gil');
  await fixtures.regulars([stranger, blocked]);
  await ann.call('block_user', { p_user_id: blocked.id });
  const ids = [await make(stranger, park), await make(blocked, park)];
  expect(new Set([...ids, id]).size).toBe(3);
  for (const who of [stranger, blocked])
    expect(await who.rows('select more_coming, guests from my_meetings()')).toEqual([
      { more_coming: 0, guests: [] },
    ]);
  // Members without visits do not make the meeting public.
  await answer(bob, id, true);
  expect(await seen(anonymous, park)).toEqual([]);
  expect(await make(stranger, park)).toBe(ids[0]);
});

test('the number of participants does not reveal a block', async () => {
  const { ann, bob, park, id } = await pack();
  const cem = await fixtures.user('Cem');
  await fixtures.befriend(bob, cem);
  await answer(bob, id, true);
  await answer(cem, id, true);
  const coming = () => cem.rows('select more_coming from my_meetings()');
  const before = await coming();
  expect(before).toEqual([{ more_coming: 1 }]);
  await ann.call('block_user', { p_user_id: cem.id });
  expect(await coming()).toEqual(before);
  expect(await seen(cem, park)).toEqual([]);
});

test('participants are notified of a hazard shortly before the meeting', async () => {
  const { ann, bob, park, id } = await pack();
  const cem = await fixtures.user('Cem');
  await fixtures.befriend(ann, cem);
  await answer(cem, id, true);
  const isIn = (hours: number) =>
    admin.rows`update private.pack_times set weekday = extract(dow from m), starts = m::time
       from (select date_bin('15 minutes', private.park_time(now() + make_interval(hours => ${hours})), '2000-01-01') as m) moment
       where id = ${id}`;
  const tell = () => admin.rows('select private.notify_of_hazards()');
  const told = () => cem.rows(`select from notifications where type = 'hazard'`);
  await isIn(6);
  await fixtures.regulars([ann, bob], park);
  for (const user of [ann, bob])
    await user.call('check_in', {
      p_park_id: park,
      p_switch: true,
      p_location: { lat: 32.1, long: 34.8 },
    });
  for (const user of [ann, bob])
    await user.call('report_hazard', { p_park_id: park, p_hazard: 'glass' });
  await tell();
  expect(await told()).toHaveLength(0);
  await isIn(2);
  await admin.rows(`update private.jobs set due_at = now() where type = 'notify-of-hazard'`);
  await tell();
  expect(await told()).toHaveLength(1);
});

test.each(['Europe/Vienna', 'Australia/Adelaide'])(
  'in %s a weekly meeting is at 18:00 all year',
  async (zone) => {
    const { id } = await pack();
    await admin.rows`update private.site_settings set time_zone = ${zone}`;
    expect(
      await admin.rows`select array_agg(distinct to_char(m at time zone ${zone}, 'FMDay HH24:MI')) as shown,
        count(distinct to_char(m at time zone 'UTC', 'HH24:MI'))::int as offsets,
        count(*) = (max(private.park_day(m)) - min(private.park_day(m))) / 7 + 1 as each_week
      from private.pack_times t, private.meeting_times(t, now() - interval '400 days') m where t.id = ${id}`,
    ).toEqual([{ shown: ['Tuesday 18:00'], offsets: 2, each_week: true }]);
    await admin.rows`update private.site_settings set time_zone = 'Asia/Jerusalem'`;
  },
);

test('a weekly meeting ends after four weeks without participants', async () => {
  const { ann, park, id } = await pack();
  // Moves the meeting to the current local time, so that 'four weeks ago' is exact even if daylight saving time began or ended.
  await admin.rows`update private.pack_times set weekday = extract(dow from m), starts = m::time
     from (select date_bin('15 minutes', private.park_time(), '2000-01-01') as m) moment where id = ${id}`;
  await expire();
  expect(await seen(ann, park)).toHaveLength(1);
  await admin.rows`update private.pack_times set created_at = now() - interval '40 days' where id = ${id}`;
  await cameTo(id, [ann], 4);
  await expire();
  expect(await seen(ann, park)).toHaveLength(1);
  await admin.rows`delete from check_ins where user_id = ${ann.id} and park_id = ${park}`;
  await cameTo(id, [ann], 5);
  await expire();
  expect(await seen(ann, park)).toEqual([]);
  expect(await ann.rows('select * from my_meetings()')).toEqual([]);
});

test('a meeting at midnight belongs to the day that it begins', async () => {
  const { id } = await pack();
  await admin.rows`update private.pack_times set weekday = extract(dow from private.park_day()), starts = '00:00' where id = ${id}`;
  expect(
    await admin.value`select count(*)::int from private.pack_times t,
      private.meeting_times(t, private.day_start(now() - interval '28 days')) where t.id = ${id}`,
  ).toBe(6);
});

test('a weekly meeting remains without a host when its host leaves', async () => {
  const { ann, bob, park, id } = await pack();
  await answer(bob, id, true);
  await admin.rows('delete from auth.users where id = $1', [ann.id]);
  expect(await seen(bob, park)).toMatchObject([{ id, joined: true, friends: [] }]);
});

test('a reported weekly meeting waits at the desk, where it can be hidden and shown again', async () => {
  const { ann, bob, park, id } = await pack();
  const moderator = await fixtures.moderator('Mo');
  await bob.call('report_pack_time', { p_pack_time_id: id, p_reason: 'spam' });
  const stranger = await fixtures.user('Eve');
  expect(
    await errorCode(stranger.call('report_pack_time', { p_pack_time_id: id, p_reason: 'spam' })),
  ).toBe('pack_time_not_found');
  const waiting = await moderator.rows(`select * from desk_queue() where type = 'pack_time'`);
  expect(waiting).toHaveLength(1);
  expect(JSON.stringify(waiting)).not.toContain(ann.id);
  await moderator.call('desk_decide', {
    p_type: 'pack_time',
    p_id: id,
    p_approve: false,
    p_reason: 'spam',
  });
  expect(await seen(bob, park)).toEqual([]);
  expect(await ann.rows('select * from my_meetings()')).toEqual([]);
  expect(await errorCode(make(ann, park))).toBe('pack_time_not_found');
  const decision = await admin.value`select id from private.desk_decisions where item_id = ${id}`;
  await moderator.call('desk_undo', { p_decision_id: decision });
  expect(await seen(bob, park)).toHaveLength(1);
});
