// Tests the limits of docs/trust.md: for one attacker with twenty accounts on the first day, and for honest newcomers.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#/host/lib/paths.ts';
import { createFixtures, errorCode, saveReview, type Caller, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous, crowd } = fixtures;

const checkIn = (user: TestUser, park: number, more: Record<string, unknown> = {}) =>
  user.call('check_in', { p_park_id: park, p_switch: true, ...more }) as Promise<
    Record<string, unknown>
  >;
/** Adds a check-in of six minutes ago, which can no longer be undone. */
const stay = async (user: TestUser, park: number) => {
  await checkIn(user, park);
  await admin.rows`update check_ins set started_at = started_at - interval '6 minutes' where user_id = ${user.id} and ended_at is null`;
};
const rate = async (user: TestUser, park: number, rank: number) =>
  (await saveReview(user, park, { p_rank: rank })).id;
const report = (user: TestUser, park: number) =>
  user.call('report_condition', { p_park_id: park, p_condition: 'gateClosed' });
const confirm = (user: TestUser, id: unknown) => user.call('confirm_report', { p_report_id: id });
const end = (user: TestUser, id: unknown) => user.call('end_report', { p_report_id: id });
const status = (park: number, who: Caller = anonymous) =>
  who.call('park_status', { p_park_id: park }) as Promise<Record<string, unknown>>;
const dailyJob = () => admin.rows('select private.reduce_history()');
/** Returns how often a call succeeded before it failed with too_many, up to a maximum of attempts. */
async function passed(tries: number, call: (index: number) => Promise<unknown>): Promise<number> {
  for (let index = 0; index < tries; index += 1)
    if ((await errorCode(call(index))) === 'too_many') return index;
  return tries;
}

/** The location of every park in the fixtures. */
const THERE = { p_location: { lat: 32.1, long: 34.8, accuracy: 20 } };
const FAR = { p_location: { lat: 32.2, long: 34.8, accuracy: 20 } };

test('twenty new accounts at a park count as no more than six dogs', async () => {
  const [accounts, park] = [await crowd(20), await fixtures.park()];
  for (const account of accounts)
    expect(await checkIn(account, park, { p_dog_count: 20 })).toMatchObject({
      status: 'checked_in',
    });
  expect(await status(park)).toMatchObject({ dogs_now: 6, people: null, busy_level: 'medium' });
  // The limit also applies to concurrent check-ins.
  const [others, raced] = [await crowd(20), await fixtures.park()];
  await Promise.all(others.map((account) => checkIn(account, raced, { p_dog_count: 2 })));
  expect(await status(raced)).toMatchObject({ dogs_now: 6 });
  // Dogs of regulars are counted in addition to the limit for newcomers.
  const regular = await fixtures.user('Regular');
  await fixtures.regulars([regular]);
  await checkIn(regular, park);
  expect(await status(park)).toMatchObject({ dogs_now: 7 });
});

test('hopping from park to park does not count in busy hours, and is rate-limited', async () => {
  const user = await fixtures.user('Hopper');
  const parks = [await fixtures.park(), await fixtures.park()];
  expect(await passed(60, (index) => checkIn(user, parks[index % 2] ?? 0))).toBe(15);
  await fixtures.leave(user);
  expect(
    await admin.value`select count(*)::int from private.busy_hours where park_id = any (${parks})`,
  ).toBe(0);
  // Repeating the current check-in is not counted.
  const calm = await fixtures.user('Calm');
  expect(await passed(20, () => checkIn(calm, parks[0] ?? 0))).toBe(20);
});

test('without a location six check-ins a day are counted, and friends still see the others', async () => {
  const [noa, friend] = await fixtures.users('Noa', 'Friend');
  await fixtures.befriend(noa, friend);
  const parks = await Promise.all(Array.from({ length: 8 }, () => fixtures.park()));
  const counted = [];
  for (const park of parks.slice(0, 7)) counted.push((await checkIn(noa, park)).counted);
  expect(counted).toEqual([true, true, true, true, true, true, false]);
  expect(await status(parks[6] ?? 0, friend)).toMatchObject({
    dogs_now: 0,
    people: null,
    friends_here: [{ name: 'Noa' }],
  });
  expect(await noa.rows('select park_id::int from my_check_in()')).toEqual([{ park_id: parks[6] }]);
  expect(await checkIn(noa, parks[7] ?? 0, THERE)).toMatchObject({ counted: true });
});

test('a check-in from far away is a plan: nobody sees it, and arriving is another check-in', async () => {
  const [noa, friend] = await fixtures.users('Noa', 'Friend');
  const park = await fixtures.park();
  await fixtures.befriend(noa, friend);
  const map = () => anonymous.call('live_counts', { p_fresh: true });
  const before = (await map()) as { dogs?: number[] };
  expect(await checkIn(noa, park, FAR)).toMatchObject({ status: 'planned', counted: false });
  expect(((await map()) as typeof before).dogs).toEqual(before.dogs);
  expect(await status(park, friend)).toMatchObject({ dogs_now: 0, people: null, friends_here: [] });
  const mine = () => noa.rows('select park_id::int, type, arrives_at from my_check_in()');
  expect(await mine()).toEqual([{ park_id: park, type: 'plan', arrives_at: null }]);
  const plan = await admin.value('select id from check_ins where user_id = $1', [noa.id]);
  expect(await noa.call('extend_stay', { p_visit_id: plan, p_minutes: 10 })).toMatchObject({
    status: 'already_ended',
  });
  await rate(noa, park, 1);
  expect(await status(park)).toMatchObject({ review_count: 0 });

  expect(await checkIn(noa, park, THERE)).toMatchObject({ status: 'checked_in', counted: true });
  expect(await status(park, friend)).toMatchObject({
    dogs_now: 1,
    friends_here: [{ name: 'Noa' }],
  });
  expect(await mine()).toEqual([{ park_id: park, type: 'visit', arrives_at: null }]);
  // A check-in at another park replaces a plan without a question.
  await fixtures.leave(noa);
  await checkIn(noa, park, FAR);
  const other = await fixtures.park();
  expect(await checkIn(noa, other, { p_switch: false })).toMatchObject({ status: 'checked_in' });
  await fixtures.leave(noa);
  await checkIn(noa, park, FAR);
  expect(await fixtures.leave(noa)).toMatchObject({ status: 'already_ended' });
  await checkIn(noa, park, FAR);
  await admin.rows(
    `update check_ins set started_at = now() - interval '2 hours', expires_at = now() - interval '1 hour' where type = 'plan' and user_id = $1`,
    [noa.id],
  );
  await dailyJob();
  expect(
    await admin.value`select count(*)::int from check_ins where user_id = ${noa.id} and type = 'plan'`,
  ).toBe(0);
});

test('a location that is inaccurate, near enough, or missing is not far away', async () => {
  const park = await fixtures.park();
  const answers = [];
  for (const place of [
    // A location about 900 metres from the park.
    { p_location: { lat: 32.1081, long: 34.8 } },
    // A location about 1300 metres from the park, with an accuracy of 500 metres.
    { p_location: { lat: 32.1117, long: 34.8, accuracy: 500 } },
    // A location at the other end of the country. It is ignored, because it is too inaccurate.
    { p_location: { lat: 29.55, long: 34.95, accuracy: 20_000 } },
    {},
    { p_location: { lat: 32.1117, long: 34.8, accuracy: 20 } },
  ])
    answers.push((await checkIn(await fixtures.user('Noa'), park, place)).status);
  expect(answers).toEqual(['checked_in', 'checked_in', 'checked_in', 'checked_in', 'planned']);
  const noa = await fixtures.user('Noa');
  for (const nonsense of [
    { p_location: { lat: 91, long: 34.8 } },
    { p_location: { lat: 'NaN', long: 34.8 } },
    { p_location: { lat: 32.1, long: 'Infinity' } },
    { p_location: { ...THERE.p_location, accuracy: -1 } },
  ])
    expect(await errorCode(checkIn(noa, park, nonsense))).toBe('invalid_input');
});

test('a location is not stored in any table', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  const place = { p_location: { lat: 32.1000417, long: 34.8000529, accuracy: 17.0313 } };
  await checkIn(noa, park, { ...place, p_key: 'b0000000-0000-4000-8000-000000000001' });
  const tables = await admin.rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private', 'auth', 'storage', 'realtime') and c.relkind = 'r'`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const found = [];
  for (const { name } of tables)
    found.push(
      ...(await admin.rows(`select 1 from ${name} t where t::text ~ '1000417|8000529|17[.]0313'`)),
    );
  expect(found).toEqual([]);
});

test('visits under five minutes do not count in busy hours, longer ones do', async () => {
  const hours = async (minutes: number) => {
    const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
    await checkIn(noa, park);
    await admin.rows`update check_ins set started_at = now() - make_interval(mins => ${minutes}) where user_id = ${noa.id}`;
    await fixtures.leave(noa);
    return admin.value`select count(*)::int > 0 from private.busy_hours where park_id = ${park}`;
  };
  expect([await hours(4), await hours(6)]).toEqual([false, true]);
});

test('twenty new accounts move the rating of a park by at most a fifth of the way', async () => {
  const [accounts, honest, park] = [await crowd(20), await crowd(2), await fixtures.park()];
  await fixtures.regulars(honest, park);
  for (const user of honest) await rate(user, park, 5);
  // Ratings by users who were never at the park do not count.
  for (const account of accounts) await rate(account, park, 1);
  expect(await status(park)).toMatchObject({ average_rank: 5, review_count: 2 });
  // A visit that can still be undone does not count, not even in the daily job.
  for (const account of accounts) await checkIn(account, park);
  await dailyJob();
  expect(await status(park)).toMatchObject({ average_rank: 5, review_count: 2 });
  // Each account has stayed at the park. The ratings count from the next day on, so that nobody can find out which account wrote
  // them.
  await admin.rows`update check_ins set started_at = started_at - interval '6 minutes' where park_id = ${park} and ended_at is null`;
  expect(await status(park)).toMatchObject({ average_rank: 5, review_count: 2 });
  await dailyJob();
  expect(await status(park)).toMatchObject({
    average_rank: 4.2,
    review_count: 22,
    rank_distribution: [20, 0, 0, 0, 2],
  });
  // If there are many regulars, a newcomer's rating counts for a quarter of a regular's.
  const [one, quiet] = [await fixtures.user('One'), await fixtures.park()];
  await fixtures.regulars(honest, quiet);
  for (const user of honest) await rate(user, quiet, 5);
  await stay(one, quiet);
  await rate(one, quiet, 1);
  expect(await status(quiet)).toMatchObject({ average_rank: 4.56 });
});

test('if only newcomers have rated, their ratings count fully; and newcomers become regulars', async () => {
  const [users, park] = [await crowd(3), await fixtures.park()];
  for (const user of users) await stay(user, park);
  for (const [index, user] of users.entries()) await rate(user, park, index + 2);
  expect(await status(park)).toMatchObject({ average_rank: 3, review_count: 3 });
  const [first] = users as [TestUser, TestUser, TestUser];
  await fixtures.regulars([first], park);
  await dailyJob();
  // The regular gave 2 stars. The two newcomers together count for a quarter of the regular.
  expect(await status(park)).toMatchObject({ average_rank: 2.3 });
  // A rating that counted once still counts after the visits are deleted.
  await admin.rows`delete from check_ins where user_id = any (${users.map(({ id }) => id)})`;
  await dailyJob();
  expect(await status(park)).toMatchObject({ average_rank: 2.3, review_count: 3 });
});

test('hidden, edited and deleted ratings leave no trace in the counts', async () => {
  const [newcomer, regular] = await fixtures.users('Newcomer', 'Regular');
  const park = await fixtures.park();
  await fixtures.regulars([regular], park);
  await stay(newcomer, park);
  const ids = [await rate(newcomer, park, 1), await rate(regular, park, 3)];
  await rate(newcomer, park, 2);
  await rate(regular, park, 5);
  for (const hide of [true, false])
    await admin.rows`update reviews set hidden_at = case when ${hide} then now() end where id = ${ids[0]}`;
  expect(await status(park)).toMatchObject({
    average_rank: 4.4,
    rank_distribution: [0, 1, 0, 0, 1],
  });
  await newcomer.call('delete_review', { p_review_id: ids[0] });
  expect(await status(park)).toMatchObject({ average_rank: 5, review_count: 1 });
  await regular.call('delete_review', { p_review_id: ids[1] });
  expect(
    await admin.rows`select ranks, newcomer_ranks, average_rank from private.park_ratings where park_id = ${park}`,
  ).toEqual([{ ranks: [0, 0, 0, 0, 0], newcomer_ranks: [0, 0, 0, 0, 0], average_rank: null }]);
});

test("twenty new accounts cannot end a regular's report, and one regular ends theirs", async () => {
  const [accounts, park] = [await crowd(20), await fixtures.park()];
  const [honest, other] = await fixtures.users('Honest', 'Other');
  await fixtures.regulars([honest, other], park);
  for (const account of accounts) await checkIn(account, park);
  const honestReport = await report(honest, park);
  for (const account of accounts) expect(await end(account, honestReport)).toBe(false);
  // All newcomers and one regular together cannot end the report either.
  expect(await end(other, honestReport)).toBe(false);
  expect(await end(honest, honestReport)).toBe(true);

  const [liar, ...others] = accounts as [TestUser, ...TestUser[]];
  const lie = await report(liar, park);
  for (const account of others) await confirm(account, lie);
  expect(await status(park)).toMatchObject({ conditions: [{ confirmations: 3 }] });
  expect(await end(other, lie)).toBe(true);
});

test("new accounts cannot extend reports, neither their own nor each other's", async () => {
  const [accounts, park] = [await crowd(20), await fixtures.park()];
  const hours = (id: unknown) =>
    admin.value(
      `select round(extract(epoch from expires_at - reported_at) / 3600, 1)::float8 from private.live_reports where id = $1`,
      [id],
    ) as Promise<number>;
  const [first] = accounts as [TestUser, ...TestUser[]];
  const id = await report(first, park);
  // A report by a user who was never there lasts for a quarter of the time.
  expect(await hours(id)).toBeGreaterThanOrEqual(1.5);
  expect(await hours(id)).toBeLessThan(1.9);
  for (const account of accounts) await confirm(account, id);
  expect(await hours(id)).toBeLessThan(1.9);
  expect(await status(park)).toMatchObject({ conditions: [{ confirmations: 0 }] });
  // Confirmations by users who are there extend the report to its whole duration, but no further.
  await admin.rows`update private.live_reports set reported_at = reported_at - interval '1 hour' where id = ${id}`;
  for (const account of accounts) await checkIn(account, park);
  for (const account of accounts) await confirm(account, id);
  expect(await hours(id)).toBeGreaterThanOrEqual(6);
  expect(await hours(id)).toBeLessThan(6.5);
  const regular = await fixtures.user('Regular');
  await fixtures.regulars([regular], park);
  await confirm(regular, id);
  expect(await hours(id)).toBeGreaterThanOrEqual(7);
});

test("newcomers can end each other's reports, and one who is there ends that of one who is not", async () => {
  const [ann, bob, cara, dan] = await fixtures.users('Ann', 'Bob', 'Cara', 'Dan');
  const park = await fixtures.park();
  for (const user of [ann, bob, cara]) await checkIn(user, park);
  const id = await report(ann, park);
  expect([await end(bob, id), await end(cara, id)]).toEqual([false, true]);
  expect(await end(bob, await report(dan, park))).toBe(true);
});

test('a report and a vote stay when the account is deleted, and refer to nobody', async () => {
  const [reporter, voter] = await fixtures.users('Reporter', 'Voter');
  const park = await fixtures.park();
  await fixtures.visited(park, [reporter, voter]);
  await confirm(voter, await report(reporter, park));
  const seen = () => anonymous.rows('select * from park_conditions where park_id = $1', [park]);
  const before = await seen();
  for (const user of [reporter, voter]) {
    await fixtures.service.call('delete_user_data', { p_user_id: user.id });
    expect(await seen()).toEqual(before);
  }
  expect(
    await admin.rows(
      `select r.reporter, v.user_id from private.live_reports r join private.live_report_votes v on v.report_id = r.id where r.park_id = $1`,
      [park],
    ),
  ).toEqual([{ reporter: null, user_id: null }]);
});

test('fifty requests to one user count as three, whatever their state', async () => {
  const [eve, ann] = await fixtures.users('Eve', 'Ann');
  const hidden = await fixtures.user('Hidden', { hidden: true });
  const ask = (id: string) => async () => {
    await eve.call('send_friend_request', { p_user_id: id });
    await eve.call('cancel_friend_request', { p_user_id: id });
  };
  const nobody = 'b0000000-0000-4000-8000-00000000000b';
  for (const id of [ann.id, hidden.id, nobody]) expect(await passed(50, ask(id))).toBe(3);
  // Eve can still send requests to others, and Ann can still send one to Eve.
  expect(await errorCode(ask((await fixtures.user('Other')).id)())).toBe('not refused');
  expect(await errorCode(ann.call('send_friend_request', { p_user_id: eve.id }))).toBe(
    'not refused',
  );
  const { rate_limits: limits } = (await fixtures.exportOf(eve.id)) as { rate_limits: unknown[] };
  expect(limits).toContainEqual(
    expect.objectContaining({ operation: 'send_friend_request to one user', count: 3 }),
  );
  expect(JSON.stringify(limits)).not.toContain(ann.id);
});

test('one friend can be invited six times a day; others are not affected', async () => {
  const [eve, ann, bob] = await fixtures.users('Eve', 'Ann', 'Bob');
  const park = await fixtures.park();
  await fixtures.befriend(eve, ann);
  await fixtures.befriend(eve, bob);
  const invite = (to: TestUser) => (index: number) =>
    eve.call('invite_to_park', {
      p_park_id: park,
      p_friend_ids: [to.id],
      p_meet_at: new Date(Date.now() + 3_600_000 + index * 1000),
    });
  expect(await passed(30, invite(ann))).toBe(6);
  expect(await passed(1, invite(bob))).toBe(1);
});

test('requests of twenty new accounts notify five times, and that of a regular still does', async () => {
  const [victim, accounts] = [await fixtures.user('Victim'), await crowd(20)];
  for (const account of accounts) {
    await account.rows('update users set name = $1 where id = $2', ['A message', account.id]);
    for (let again = 0; again < 2; again += 1) {
      await account.call('send_friend_request', { p_user_id: victim.id });
      await account.call('cancel_friend_request', { p_user_id: victim.id });
    }
    await account.call('send_friend_request', { p_user_id: victim.id });
  }
  const told = () =>
    victim.value(`select count(*)::int from notifications where type = 'friendRequest'`);
  // Five requests arrived, and four of them were withdrawn.
  expect(await told()).toBe(1);
  expect(
    await admin.value`select count(*)::int from private.receiver_quota_uses where receiver_id = ${victim.id}`,
  ).toBe(5);
  expect(await victim.value('select count(*)::int from friend_requests')).toBe(20);
  const regular = await fixtures.user('Regular');
  await fixtures.regulars([regular]);
  await regular.call('send_friend_request', { p_user_id: victim.id });
  expect(await told()).toBe(2);
});

test('a newcomer can change the name five times a day, a regular ten times; the same name again does not count', async () => {
  const [newcomer, regular] = await fixtures.users('New', 'Regular');
  await fixtures.regulars([regular]);
  const rename = (who: TestUser) => (index: number) =>
    who.rows('update users set name = $1 where id = $2', [`Name ${index}`, who.id]);
  expect(await passed(20, rename(newcomer))).toBe(5);
  expect(await passed(20, rename(regular))).toBe(10);
  const calm = await fixtures.user('Calm');
  expect(await passed(20, () => rename(calm)(0))).toBe(20);
});

test('however many new accounts confirm a report, readers see at most three of them besides the regulars', async () => {
  const [accounts, park] = [await crowd(8), await fixtures.park()];
  const regular = await fixtures.user('Regular');
  await fixtures.regulars([regular]);
  for (const account of accounts) await checkIn(account, park);
  const [reporter, ...others] = accounts as [TestUser, ...TestUser[]];
  const condition = await report(reporter, park);
  const hazard = await reporter.call('report_hazard', { p_park_id: park, p_hazard: 'glass' });
  for (const each of [...others, regular]) {
    await confirm(each, condition);
    await confirm(each, hazard);
  }
  for (const view of ['park_conditions', 'park_hazards'])
    expect(
      await anonymous.value(`select confirmations from ${view} where park_id = $1`, [park]),
    ).toBe(4);
});

test('every limit of docs/trust.md is that of the database', async () => {
  const rows = await admin.rows<Record<string, unknown>>(
    `select action, case per when '1 day' then 'day' when '1 hour' then 'hour' when '7 days' then 'week' end as per, regulars, newcomers, with_one_user
     from private.action_limits()`,
  );
  const documented = (await readFile(path.join(ROOT, 'docs/trust.md'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  expect(rows.length).toBeGreaterThan(5);
  expect(documented.map((cells) => cells.slice(1, 6))).toEqual(
    rows.map((row) => Object.values(row).map((value) => (value === null ? '' : String(value)))),
  );
});
