// Tests live reports: one per park and condition, confirmed or ended by other users, and deleted when they expire.
import { expect, test } from 'vitest';
import { createFixtures, errorCode, type Caller, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous } = fixtures;

/** Creates a park and three regulars who have been there. */
const scene = async () => {
  const park = await fixtures.park();
  const [ann, bob, eve] = await fixtures.users('Ann', 'Bob', 'Eve');
  await fixtures.regulars([ann, bob, eve], park);
  return { park, ann, bob, eve };
};
const report = (user: TestUser, park: number, condition = 'muddy') =>
  user.call('report_condition', { p_park_id: park, p_condition: condition });
const confirm = (user: TestUser, id: unknown) => user.call('confirm_report', { p_report_id: id });
const end = (user: TestUser, id: unknown) => user.call('end_report', { p_report_id: id });
const conditions = (park: number, who: Caller = anonymous) =>
  who.rows`select condition, confirmations, mine from park_conditions where park_id = ${park} order by 1`;

test('a report shows to everybody, and others confirm it by reporting the same', async () => {
  const { park, ann, bob } = await scene();
  const id = await report(ann, park);
  expect(await conditions(park)).toEqual([{ condition: 'muddy', confirmations: 0, mine: false }]);
  expect(await report(bob, park)).toBe(id);
  expect(await confirm(bob, id)).toBe(true);
  expect(await confirm(ann, id)).toBe(true);
  expect(await conditions(park, ann)).toEqual([
    { condition: 'muddy', confirmations: 1, mine: true },
  ]);
  expect(await anonymous.call('live_counts')).toMatchObject({ conditions: { [park]: ['muddy'] } });
});

test('users who report the same thing concurrently make one report', async () => {
  const park = await fixtures.park();
  const crowd = await fixtures.crowd(8);
  // The users are regulars, because only three confirmations by newcomers are counted.
  await fixtures.regulars(crowd, park);
  const ids = await Promise.all(crowd.map((user) => report(user, park)));
  expect(new Set(ids).size).toBe(1);
  expect(await conditions(park)).toEqual([{ condition: 'muddy', confirmations: 7, mine: false }]);
});

test('its reporter can end it while nobody has confirmed it, or two others can, also concurrently', async () => {
  const { park, ann, bob, eve } = await scene();
  const id = await report(ann, park);
  expect(await end(bob, id)).toBe(false);
  expect(await end(bob, id)).toBe(false);
  expect(await conditions(park)).toHaveLength(1);
  expect(await end(eve, id)).toBe(true);
  expect(await conditions(park)).toEqual([]);
  expect(await confirm(bob, id)).toBe(false);
  expect(await end(ann, await report(ann, park, 'gateClosed'))).toBe(true);

  const third = await report(ann, park, 'brokenFountain');
  expect((await Promise.all([end(bob, third), end(eve, third)])).sort()).toEqual([false, true]);

  const confirmed = await report(ann, park, 'underConstruction');
  await confirm(bob, confirmed);
  expect(await end(ann, confirmed)).toBe(false);
});

test('a confirmation removes no vote, and a changed vote counts once', async () => {
  const { park, ann, bob, eve } = await scene();
  const third = await fixtures.user('Third');
  await fixtures.regulars([third], park);
  const id = await report(ann, park);
  await end(bob, id);
  await confirm(eve, id);
  expect(await end(third, id)).toBe(true);

  const other = await report(ann, park, 'gateClosed');
  await end(bob, other);
  await confirm(bob, other);
  expect(await conditions(park)).toMatchObject([{ confirmations: 1 }]);
  expect(await end(eve, other)).toBe(false);
});

test('a report expires unless others confirm it, and can be made again', async () => {
  const { park, ann, bob } = await scene();
  const id = await report(ann, park, 'gateClosed');
  const age = () =>
    admin.rows`update private.live_reports set reported_at = reported_at - interval '5 hours 45 minutes',
         expires_at = expires_at - interval '5 hours 45 minutes' where id = ${id}`;
  const expiry = () =>
    anonymous.value('select expires_at from park_conditions where id = $1', [id]);
  await age();
  const before = await expiry();
  await confirm(ann, id);
  await report(ann, park, 'gateClosed');
  expect(await expiry()).toEqual(before);
  await confirm(bob, id);
  await age();
  expect(await conditions(park)).toHaveLength(1);
  await age();
  expect(await conditions(park)).toEqual([]);
  expect(await confirm(bob, id)).toBe(false);
  expect(await report(ann, park, 'gateClosed')).not.toBe(id);
});

test('users cannot repeat a report for an hour after they ended it', async () => {
  const { park, ann, bob } = await scene();
  await end(ann, await report(ann, park));
  expect(await errorCode(report(ann, park))).toBe('too_many');
  expect(await errorCode(report(ann, park, 'gateClosed'))).toBe('not refused');
  // Another user may report the condition again. A report by Ann then counts as a confirmation.
  const anew = await report(bob, park);
  expect(await report(ann, park)).toBe(anew);
  await admin.rows(
    `update private.live_reports set ended_at = now() - interval '61 minutes' where park_id = $1 and condition = 'muddy'`,
    [park],
  );
  expect(await errorCode(report(ann, park))).toBe('not refused');
});

test('only its reporter reads the minute of a report', async () => {
  const { park, ann, bob } = await scene();
  const id = await report(ann, park);
  await confirm(bob, id);
  const coarse = (who: Caller) =>
    who.rows`select extract(epoch from reported_at) % 900 = 0 as reported, extract(epoch from confirmed_at) % 900 = 0 as confirmed,
         extract(epoch from expires_at) % 900 = 0 as expires from park_conditions where id = ${id}`;
  for (const who of [anonymous, bob])
    expect(await coarse(who)).toEqual([{ reported: true, confirmed: true, expires: true }]);
  expect(await coarse(ann)).toEqual([{ reported: false, confirmed: true, expires: true }]);
});
