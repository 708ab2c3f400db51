// Tests check-ins: a user is at one park at most, for a planned stay, also with concurrent calls; and how visits count in the busy
// hours.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_STAY, VISIT_UNDO_MS } from '../../app/src/features/check-ins/check-in-limits.ts';
import { busyLevel } from '../../shared/verdict/live-counts.ts';
import {
  addDog,
  addVisitPhoto,
  createFixtures,
  errorCode,
  saveReview,
  type TestUser,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous, dogsNow } = fixtures;

test('a check-in counts for everybody until check-out, which asks for a review once', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  const key = randomUUID();
  const answer = await noa.call('check_in', { p_park_id: park, p_dog_count: 2, p_key: key });
  expect(answer).toMatchObject({ status: 'checked_in', park_id: park, elsewhere: null });
  expect(await dogsNow(park)).toBe(2);
  expect(await noa.rows('select park_name, dog_count from my_check_in()')).toEqual([
    { park_name: 'Test park', dog_count: 2 },
  ]);
  // The response contains the row of my_check_in, so that the app needs no further request.
  const [{ stay } = { stay: null }] =
    await noa.rows`select to_jsonb(m) as stay from my_check_in() m`;
  expect(answer).toMatchObject({ stay });
  expect(await noa.call('check_in', { p_park_id: park })).toMatchObject({
    status: 'already_here',
    stay,
  });
  expect(await fixtures.leave(noa)).toEqual({
    status: 'checked_out',
    park_id: park,
    park_name: 'Test park',
    started_at: (stay as { started_at: string }).started_at,
    offer_review: true,
    own_dog_ids: [],
  });
  expect(await dogsNow(park)).toBe(0);
  // A repeated command returns the user's current visit.
  expect(await noa.call('check_in', { p_park_id: park, p_key: key })).toEqual({
    ...(answer as object),
    stay: null,
  });

  await saveReview(noa, park, { p_rank: 4 });
  await noa.call('check_in', { p_park_id: park });
  expect(await fixtures.leave(noa)).toMatchObject({ offer_review: false });
});

test('a visit that has just begun can be undone completely, a longer one cannot', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  const counts = (since?: number) =>
    anonymous.call('live_counts', since === undefined ? {} : { p_since: since }) as Promise<{
      at: number;
      dogs?: number[];
    }>;
  const visits = () =>
    admin.rows('select ended_at, type from check_ins where user_id = $1', [noa.id]);
  const enter = async () => {
    const key = randomUUID();
    await noa.call('check_in', { p_park_id: park, p_dog_count: 2, p_key: key });
    return key;
  };
  const undo = (visit: string) =>
    noa.call('undo_check_in', { p_visit_id: visit, p_key: randomUUID() });
  const begun = (visit: string, ms: number) =>
    admin.rows`update check_ins set started_at = now() - make_interval(secs => ${ms / 1000}) where id = ${visit}`;
  const visit = await enter();
  const { at } = await counts();
  await begun(visit, VISIT_UNDO_MS - 60_000);
  expect(await undo(visit)).toEqual({ status: 'undone', stay: null });
  expect(await dogsNow(park)).toBe(0);
  // Clients that counted the dogs must receive that they have left.
  expect((await counts(at)).dogs).toContain(0);
  expect(await noa.call('ask_for_review', { p_visit_id: visit })).toBeNull();
  expect(
    await admin.value('select e.is_present or e.has_stayed from private.evidence_at($1, $2) e', [
      noa.id,
      park,
    ]),
  ).toBe(false);
  // Undoing the visit again, as after a lost response, changes nothing. Undoing another user's visit has no effect.
  expect(await undo(visit)).toMatchObject({ status: 'undone' });
  const other = await fixtures.user('Tom');
  const next = await enter();
  await other.call('undo_check_in', { p_visit_id: next });
  expect(await dogsNow(park)).toBe(2);
  await begun(next, VISIT_UNDO_MS);
  expect(await errorCode(undo(next))).toBe('too_late_to_undo');
  expect(await dogsNow(park)).toBe(2);
  await admin.rows`update check_ins set ended_at = ended_at - interval '31 minutes', started_at = started_at - interval '31 minutes'
     where ended_at is not null and user_id = ${noa.id}`;
  await admin.rows('select private.reduce_history()');
  expect(await visits()).toEqual([{ ended_at: null, type: 'visit' }]);
});

test('a check-in at another park asks first, and switches when told to', async () => {
  const noa = await fixtures.user('Noa');
  const [here, there] = [await fixtures.park('Here'), await fixtures.park('There')];
  await noa.call('check_in', { p_park_id: here });
  const key = randomUUID();
  expect(await noa.call('check_in', { p_park_id: there, p_key: key })).toMatchObject({
    status: 'elsewhere',
    elsewhere: { park_id: here, name: 'Here' },
  });
  expect([await dogsNow(here), await dogsNow(there)]).toEqual([1, 0]);
  expect(
    await noa.call('check_in', { p_park_id: there, p_switch: true, p_key: key }),
  ).toMatchObject({ status: 'checked_in', park_id: there });
  expect([await dogsNow(here), await dogsNow(there)]).toEqual([0, 1]);
});

test('undoing a switch reopens the previous visit, which is counted once', async () => {
  const noa = await fixtures.user('Noa');
  const [here, there] = [await fixtures.park('Here'), await fixtures.park('There')];
  await noa.call('check_in', { p_park_id: here, p_dog_count: 2 });
  await admin.rows`update check_ins set started_at = started_at - interval '30 minutes' where user_id = ${noa.id}`;
  const counted = () =>
    admin.value`select coalesce(sum(dogs), 0)::float from private.busy_hours where park_id = ${here}`;
  const [visit, key] = [randomUUID(), randomUUID()];
  await noa.call('check_in', { p_park_id: there, p_switch: true, p_key: visit });
  expect(await counted()).toBeCloseTo(1, 1);
  const { at } = (await anonymous.call('live_counts', {})) as { at: number };
  const undo = { p_visit_id: visit, p_key: key };
  const answer = { status: 'undone', stay: { park_id: Number(here), dog_count: 2 } };
  expect(await noa.call('undo_check_in', undo)).toMatchObject(answer);
  expect(await noa.call('undo_check_in', undo)).toMatchObject(answer);
  expect([await dogsNow(here), await dogsNow(there)]).toEqual([2, 0]);
  expect(await counted()).toBeCloseTo(0, 5);
  // The first park is listed as changed, so that clients that counted its dogs as gone count them again.
  const { dogs } = (await anonymous.call('live_counts', { p_since: at })) as { dogs: number[] };
  expect(dogs.filter((_, place) => place % 2 === 1)).toEqual(expect.arrayContaining([2, 0]));
  await fixtures.leave(noa);
  expect(await counted()).toBeCloseTo(1, 1);
});

test("only the user's own dogs and valid numbers are accepted", async () => {
  const [noa, tom] = await fixtures.users('Noa', 'Tom');
  const park = await fixtures.park();
  const [pita, foreign] = [await addDog(noa), await addDog(tom)];
  const enter = (more: Record<string, unknown>) =>
    errorCode(noa.call('check_in', { p_park_id: park, ...more }));
  expect(await enter({ p_dog_ids: [pita, foreign] })).toBe('invalid_input');
  expect(await enter({ p_dog_count: 21 })).toBe('invalid_input');
  expect(await enter({ p_dog_count: -1 })).toBe('invalid_input');
  expect(await enter({ p_stay_minutes: MAX_STAY + 1 })).toBe('invalid_input');
  expect(await enter({ p_park_id: 999_999 })).toBe('park_not_found');
  expect(await noa.rows('select * from my_check_in()')).toEqual([]);
  expect(await enter({ p_dog_ids: [pita, pita] })).toBe('not refused');
  expect(await dogsNow(park)).toBe(1);
  // A dog that is removed from the profile also leaves the visit.
  await noa.call('delete_dog', { dog_id: pita });
  expect(await dogsNow(park)).toBe(0);
});

test('a visit does not count after the planned stay, and does not block the next check-in', async () => {
  const noa = await fixtures.user('Noa');
  const park = await fixtures.park();
  const next = await fixtures.park('Next');
  const visit = randomUUID();
  await noa.call('check_in', { p_park_id: park, p_stay_minutes: 30, p_key: visit });
  await admin.rows(
    `update check_ins set started_at = started_at - interval '31 minutes', expires_at = expires_at - interval '31 minutes' where user_id = $1`,
    [noa.id],
  );
  expect(await dogsNow(park)).toBe(0);
  expect(await noa.rows('select * from my_check_in()')).toEqual([]);
  expect(await noa.call('extend_stay', { p_visit_id: visit, p_minutes: 10 })).toMatchObject({
    status: 'already_ended',
  });
  expect(await noa.call('check_in', { p_park_id: next })).toMatchObject({ status: 'checked_in' });
  expect(
    await admin.rows`select ended_at = expires_at as ended_as_planned from check_ins where user_id = ${noa.id} and park_id = ${park}`,
  ).toEqual([{ ended_as_planned: true }]);
});

test('a stay can be extended to at most four hours in total', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  const visit = randomUUID();
  await noa.call('check_in', { p_park_id: park, p_stay_minutes: 200, p_key: visit });
  const minutes = () =>
    noa.value`select round(extract(epoch from expires_at - started_at) / 60)::int from my_check_in()`;
  await noa.call('extend_stay', { p_visit_id: visit, p_minutes: 20 });
  expect(await minutes()).toBe(220);
  await noa.call('extend_stay', { p_visit_id: visit, p_minutes: 60 });
  expect(await minutes()).toBe(MAX_STAY);
});

test('delayed commands for a visit that has ended change nothing, in any order of arrival', async () => {
  const [noa, tom] = await fixtures.users('Noa', 'Tom');
  const parks = [await fixtures.park('Here'), await fixtures.park('There')] as const;
  // One phone checked in and out at the first park. The other phone switched to the second park.
  const [first, second] = [randomUUID(), randomUUID()];
  const commands = {
    leave: () => noa.call('check_out', { p_visit_id: first, p_key: randomUUID() }),
    stay: () => noa.call('extend_stay', { p_visit_id: first, p_minutes: 30, p_key: randomUUID() }),
    goOn: () => noa.call('check_in', { p_park_id: parks[1], p_switch: true, p_key: second }),
  };
  const where = () => noa.rows('select check_in_id, park_id::int from my_check_in()');
  const begin = async () => {
    for (const table of ['check_ins', 'private.idempotency_keys'])
      await admin.rows(`delete from ${table} where user_id = $1`, [noa.id]);
    await admin.rows('delete from private.rate_limits where subject = $1', [noa.id]);
    await noa.call('check_in', { p_park_id: parks[0], p_key: first });
  };
  const { leave, stay, goOn } = commands;
  for (const order of [
    [leave, stay, goOn],
    [leave, goOn, stay],
    [stay, leave, goOn],
    [stay, goOn, leave],
    [goOn, leave, stay],
    [goOn, stay, leave],
  ]) {
    await begin();
    for (const command of order) await command();
    expect(await where()).toEqual([{ check_in_id: second, park_id: parks[1] }]);
  }
  for (let round = 0; round < 10; round += 1) {
    await begin();
    await Promise.all([leave(), goOn(), stay(), leave()]);
    expect(await where()).toEqual([{ check_in_id: second, park_id: parks[1] }]);
  }
  // A user cannot end another user's visit.
  expect(await tom.call('check_out', { p_visit_id: second })).toMatchObject({
    status: 'already_ended',
  });
  expect(await where()).toHaveLength(1);
  expect(await leave()).toMatchObject({ status: 'already_ended', offer_review: false });
});

test('however a visit ends, exactly one device asks for a review', async () => {
  const [noa, tom] = await fixtures.users('Noa', 'Tom');
  const [park, next] = [await fixtures.park('Here'), await fixtures.park('Next')];
  const begin = async () => {
    const visit = randomUUID();
    await noa.call('check_in', { p_park_id: park, p_switch: true, p_key: visit });
    return visit;
  };
  const ask = (visit: string, who = noa) => who.call('ask_for_review', { p_visit_id: visit });
  const expire = (visit: string, ago: string) =>
    admin.rows(
      `update check_ins set started_at = now() - $2::interval - interval '1 hour', expires_at = now() - $2::interval where id = $1`,
      [visit, ago],
    );

  const byTime = await begin();
  expect(await ask(byTime)).toBeNull();
  await expire(byTime, '1 minute');
  expect(await ask(byTime, tom)).toBeNull();
  const answers = await Promise.all([ask(byTime), ask(byTime), ask(byTime)]);
  expect(answers.filter(Boolean)).toEqual([
    expect.objectContaining({ park_id: park, park_name: 'Here', offer_review: true }),
  ]);
  const bySwitch = await begin();
  await noa.call('check_in', { p_park_id: next, p_switch: true });
  expect(await ask(bySwitch)).toMatchObject({ park_id: park });
  // If the user checks out, that device asks for a review, so the other devices get null.
  const byButton = await begin();
  await fixtures.leave(noa);
  expect(await ask(byButton)).toBeNull();
  const longAgo = await begin();
  await expire(longAgo, '13 hours');
  expect(await ask(longAgo)).toBeNull();
});

test('a user who was checked in by another phone can check out with the ID of either check-in', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  const [one, other] = [randomUUID(), randomUUID()];
  await noa.call('check_in', { p_park_id: park, p_key: one });
  expect(await noa.call('check_in', { p_park_id: park, p_key: other })).toMatchObject({
    status: 'already_here',
    check_in_id: one,
  });
  expect(await noa.call('check_out', { p_visit_id: other })).toMatchObject({
    status: 'checked_out',
  });
});

test('two concurrent check-ins of one user never leave two visits open, and neither gets lost', async () => {
  const noa = await fixtures.user('Noa');
  const a = await fixtures.park('A');
  const b = await fixtures.park('B');
  let checkedIn = 0;
  for (let round = 0; round < 150; round += 1) {
    // Resets the rate limit, which would reject so many check-ins.
    await admin.rows('delete from private.rate_limits where subject = $1', [noa.id]);
    const answers = (await Promise.all(
      [a, b].map((park) => noa.call('check_in', { p_park_id: park, p_switch: true })),
    )) as { status: string }[];
    checkedIn += answers.filter((answer) => answer.status === 'checked_in').length;
    const open =
      await admin.value`select count(*)::int from check_ins where user_id = ${noa.id} and ended_at is null`;
    expect(open).toBe(1);
  }
  expect(
    await admin.value('select count(*)::int from check_ins where user_id = $1', [noa.id]),
  ).toBe(checkedIn);
});

test("a visit counts in the hours that it covered, in the park's local time", async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  await noa.call('check_in', { p_park_id: park, p_dog_count: 2, p_stay_minutes: MAX_STAY });
  // The visit lasted from 17:30 to 19:15 yesterday in the parks' time zone.
  await admin.rows`update check_ins set
       started_at = ((now() at time zone 'Asia/Jerusalem')::date - 1 + time '17:30') at time zone 'Asia/Jerusalem',
       expires_at = ((now() at time zone 'Asia/Jerusalem')::date - 1 + time '19:15') at time zone 'Asia/Jerusalem'
     where user_id = ${noa.id}`;
  await fixtures.leave(noa);
  const hours = await admin.rows<{ day_type: string; hour: number; dogs: string }>(
    'select * from private.usual_hours(array[$1::bigint]) order by day_type, hour',
    [park],
  );
  expect(hours).toHaveLength(48);
  expect(
    hours.filter((row) => Number(row.dogs) > 0).map((row) => [row.hour, Number(row.dogs)]),
  ).toEqual([
    [17, 1],
    [18, 2],
    [19, 0.5],
  ]);
  // Cards of several parks in one call contain the same numbers in the order of the call, and nothing for unknown parks.
  const other = await fixtures.park();
  await admin.rows`update parks set primary_photo = id || '/primary/a.webp' where id = ${other}`;
  const cards = (await anonymous.call('park_cards', {
    p_park_ids: [park, other, 987_654_321],
  })) as Record<string, { photo: string | null; hours: [number, number][] }>;
  expect(Object.keys(cards).map(Number).sort()).toEqual([park, other].map(Number).sort());
  expect(cards[park]?.hours.map(([dogs]) => dogs)).toEqual(hours.map((row) => Number(row.dogs)));
  expect(cards[park]?.photo).toBeNull();
  expect(cards[other]).toEqual({
    photo: `${other}/primary/a.webp`,
    hours: Array.from({ length: 48 }, () => [0, 0]),
  });
});

test('cards are returned for at most twenty parks, also for an array of arrays', async () => {
  const parks: (string | number)[] = [];
  for (let n = 0; n < 22; n += 1) parks.push(await fixtures.park());
  const answered = async (shape: string) =>
    Object.keys((await anonymous.call('park_cards', { p_park_ids: shape })) as object).length;
  expect(await answered(`{${parks.join()}}`)).toBe(20);
  expect(await answered(`{{${parks.join()}}}`)).toBe(20);
});

test('usual hours cover the last eight weeks without today, from the first day with data', async () => {
  const [old, recent] = [await fixtures.park(), await fixtures.park()];
  const day = `(now() at time zone 'Asia/Jerusalem')::date`;
  // The first park had three dogs at eight o'clock on each day; the second park only has data of the last week.
  await admin.rows(
    `insert into private.busy_hours (park_id, day, hour, dogs)
     select park, ${day} - ago, 8, 3 from unnest($1::bigint[], $2::int[]) of (park, known), generate_series(0, known) ago`,
    [
      [old, recent],
      [100, 7],
    ],
  );
  // Adds a day with dogs at nine o'clock.
  await fixtures.busyLastWeek([[recent, 9, 10]]);
  const weekday = (await admin.value(
    `select extract(dow from ${day} - 7) not in (5, 6)`,
  )) as boolean;
  const cards = (await anonymous.call('park_cards', {
    p_park_ids: [old, recent],
  })) as Record<string, { hours: [number, number][] }>;
  const at = (park: string | number, hour: number) => [
    cards[park]?.hours[hour],
    cards[park]?.hours[24 + hour],
  ];
  expect(at(old, 8)).toEqual([
    [3, 40],
    [3, 16],
  ]);
  expect(at(recent, 8)).toEqual([
    [3, 5],
    [3, 2],
  ]);
  expect(at(recent, 9)).toEqual(
    weekday
      ? [
          [2, 1],
          [0, 0],
        ]
      : [
          [0, 0],
          [5, 1],
        ],
  );
});

test('after ninety days only anonymous counts remain of a visit', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  await noa.call('check_in', { p_park_id: park, p_stay_minutes: 60 });
  await admin.rows(
    `update check_ins set started_at = started_at - interval '91 days', expires_at = expires_at - interval '91 days' where user_id = $1`,
    [noa.id],
  );
  await admin.rows('select private.reduce_history()');
  expect(
    await admin.value('select count(*)::int from check_ins where user_id = $1', [noa.id]),
  ).toBe(0);
  expect(
    Number(await admin.value`select sum(dogs) from private.busy_hours where park_id = ${park}`),
  ).toBeCloseTo(1, 1);
});

test('expired visits are ended in small batches, which skip rows that others have locked', async () => {
  const park = await fixtures.park();
  const users = await fixtures.users('One', 'Two', 'Three');
  for (const user of users) await user.call('check_in', { p_park_id: park });
  await admin.rows(
    `update check_ins set started_at = now() - interval '2 hours', expires_at = now() - interval '1 hour' where park_id = $1`,
    [park],
  );
  const end = (most: number) => admin.value('select private.end_expired_visits($1)', [most]);
  const open = () =>
    admin.column`select user_id from check_ins where park_id = ${park} and ended_at is null`;
  const changing = await fixtures.hold(
    'select from public.check_ins where user_id = $1 for update',
    [users[0].id],
  );
  expect(await end(1)).toBe(1);
  expect(await open()).toHaveLength(2);
  expect(await end(10)).toBe(1);
  expect(await open()).toEqual([users[0].id]);
  await changing.end();
  expect(await end(10)).toBe(1);
  expect(
    await admin.rows`select distinct ended_at = expires_at as then from check_ins where park_id = ${park}`,
  ).toEqual([{ then: true }]);
});

test('a park is quiet up to 2 dogs, busy from 7, and medium between; the app uses the same limits', async () => {
  for (let dogs = 0; dogs <= 20; dogs += 1) {
    const level = await admin.value('select private.busy_level($1)', [dogs]);
    expect(level).toBe(dogs <= 2 ? 'quiet' : dogs >= 7 ? 'busy' : 'medium');
    expect(busyLevel(dogs)).toBe(level);
  }
});

/** Tables whose rows remain when a visit is undone, and why. */
const NOT_WITHDRAWN: Record<string, string> = {
  check_in_dogs:
    'belongs to the undone visit, which counts for nothing and is deleted after half an hour',
  favourite_parks: 'needs no visit',
  park_invites: 'needs no visit',
  park_suggestions: 'needs no visit, and a moderator decides',
  'private.desk_decisions': 'made by moderators',
  'private.hidden_reviews': 'needs no visit',
  'private.pack_time_members': 'needs no visit; attendance is read from visits',
  'private.pack_time_reports': 'needs no visit, and a moderator decides',
  'private.pack_times': 'only regulars create them, and an undone visit makes nobody a regular',
  'private.park_submitters': 'needs no visit, and a moderator decides',
  'private.photo_reports': 'needs no visit, and a moderator decides',
  'private.photo_uploaders': 'needs no visit, and a moderator decides',
  'private.replaced_reviews': 'written by merges of parks',
  'private.review_reports': 'needs no visit, and a moderator decides',
  'private.unlicensed_contributions': 'written by decisions of moderators',
  reviews: 'its weight comes only from visits of at least five minutes',
};

test('undoing a visit withdraws everything that it gave; each table of users at parks is withdrawn or has a reason', async () => {
  const [ann, bob, fan] = await fixtures.users('Ann', 'Bob', 'Fan');
  const park = await fixtures.park();
  await fixtures.regulars([ann, bob], park);
  await fixtures.visited(park, [bob]);
  await fixtures.befriend(ann, bob);
  for (const user of [ann, bob])
    await user.rows('insert into notifications_preferences (friend_there) values (true)');
  for (const user of [bob, fan])
    await user.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  const hazard = await bob.call('report_hazard', { p_park_id: park, p_hazard: 'poison' });
  const dog = await addDog(ann);
  const own = (table: string, column: string, more = '') =>
    admin.rows(`select * from ${table} where ${column} = $1 ${more}`, [ann.id]);
  const notified = (user: TestUser) => user.rows('select type, data from notifications');
  /** Everything that the visit and the statements during it add, by table or description. */
  const given: Record<string, () => Promise<unknown>> = {
    check_ins: () => own('check_ins', 'user_id', `and type = 'visit'`),
    'private.fact_answers': () => own('private.fact_answers', 'user_id'),
    'private.live_report_votes': () => own('private.live_report_votes', 'user_id'),
    'private.live_reports': () => own('private.live_reports', 'reporter', 'and ended_at is null'),
    'private.visit_photos': () => own('private.visit_photos', 'author'),
    'dogs at the park': () => dogsNow(park),
    'own visit': () => ann.call('my_check_in'),
    evidence: () => admin.rows('select * from private.evidence_at($1, $2)', [ann.id, park]),
    'verified hazard': () =>
      admin.rows('select verified_at from private.live_reports where id = $1', [hazard]),
    'informed city': () =>
      admin.rows('select city_informed_at from private.live_reports where id = $1', [hazard]),
    'its notification': () => notified(fan),
    "the friend's notification": () => notified(bob),
    'friends at the park': () => bob.call('park_status', { p_park_id: park }),
    'question after the visit': () => ann.call('park_question'),
  };
  const snapshot = async () => {
    await admin.rows('select private.notify_of_arrivals(), private.notify_of_hazards()');
    const found: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(given)) found[name] = await read();
    return found;
  };
  const before = await snapshot();
  const key = randomUUID();
  await ann.call('check_in', {
    p_park_id: park,
    p_dog_ids: [dog],
    p_key: key,
    p_location: { lat: 32.1, long: 34.8, accuracy: 20 },
  });
  await admin.rows`update private.jobs set due_at = now() where type = 'notify-of-arrival'`;
  await ann.call('report_condition', { p_park_id: park, p_condition: 'muddy' });
  await ann.call('confirm_report', { p_report_id: hazard });
  await ann.call('inform_city', { p_report_id: hazard });
  await addVisitPhoto(ann, key, dog);
  const during = await snapshot();
  for (const name of Object.keys(given)) {
    if (name === 'private.fact_answers') continue;
    expect(during[name], name).not.toEqual(before[name]);
  }
  const { fact } = (await ann.call('park_question')) as { fact: string };
  await ann.call('respond_to_park_question', { p_check_in_id: key, p_value: 'yes' });
  expect(await own('private.fact_answers', 'user_id'), fact).toHaveLength(1);
  await ann.call('undo_check_in', { p_visit_id: key });
  expect(await snapshot()).toEqual(before);
  const tables = await admin.column(`
    with recursive linked as (
      select c.conrelid from pg_constraint c
      where c.contype = 'f' and c.confrelid in ('public.parks'::regclass, 'public.check_ins'::regclass)
      union select c.conrelid from pg_constraint c join linked l on l.conrelid = c.confrelid
      where c.contype = 'f' and c.conrelid <> 'public.users'::regclass)
    select l.conrelid::regclass::text from linked l
    where exists (select from pg_constraint c where c.contype = 'f' and c.conrelid = l.conrelid
      and c.confrelid in ('public.users'::regclass, 'public.check_ins'::regclass))`);
  const withdrawn = Object.keys(given).filter(
    (name) => /^[a-z_.]+$/.test(name) && name !== 'evidence',
  );
  expect([...withdrawn, ...Object.keys(NOT_WITHDRAWN)].toSorted()).toEqual(tables.toSorted());
});
