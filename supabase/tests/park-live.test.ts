// Tests the live state of parks: everybody gets the same response with counts only, and friends also see friends.
import { expect, test } from 'vitest';
import {
  applyLiveResponse,
  type LiveResponse,
  type LiveCounts,
} from '../../shared/verdict/live-counts.ts';
import { seeded } from '../../testing/seeded.ts';
import { addDog, createFixtures, type Caller, type TestUser, saveReview } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous, service } = fixtures;

const ask = (who: Caller, since?: number) =>
  who.call('live_counts', since === undefined ? {} : { p_since: since }) as Promise<LiveResponse>;
const apply = (before: LiveCounts | undefined, answer: LiveResponse) =>
  applyLiveResponse(before, answer, 0);
const dogsAt = ({ parks }: LiveCounts, park: number) => parks[park]?.dogs_now ?? 0;
/** Makes all data of a park older than the interval in which changes are sent twice. */
const settle = (park: number) =>
  admin.rows`with visits as (update check_ins set started_at = started_at - interval '1 hour',
       ended_at = ended_at - interval '30 seconds' where park_id = ${park})
     update private.live_reports set reported_at = reported_at - interval '1 hour',
       ended_at = ended_at - interval '30 seconds' where park_id = ${park}`;

test('everybody gets the same counts, including hidden users, and nothing but counts', async () => {
  const noa = await fixtures.user('Noa');
  const hidden = await fixtures.user('Hila', { hidden: true });
  const park = await fixtures.park();
  const other = await fixtures.park();
  await noa.call('check_in', { p_park_id: park, p_dog_count: 2 });
  await hidden.call('check_in', { p_park_id: park, p_dog_count: 1 });
  await noa.call('report_condition', { p_park_id: park, p_condition: 'muddy' });
  const answer = await ask(anonymous);
  // Only the timestamps may differ, because time passes between the two requests.
  expect(answer).toEqual({ ...(await ask(hidden)), at: answer.at });
  expect(Object.keys(answer).sort()).toEqual(['all', 'at', 'conditions', 'dogs']);
  const counts = apply(undefined, answer);
  expect(counts.parks[park]).toEqual({
    dogs_now: 3,
    busy_level: 'medium',
    conditions: ['muddy'],
    hazards: [],
  });
  expect(counts.parks[other]).toBeUndefined();
});

test('later responses contain only changes: check-ins, check-outs, expired stays, and conditions', async () => {
  const [ann, bob, eve] = await fixtures.users('Ann', 'Bob', 'Eve');
  const came = await fixtures.park();
  const left = await fixtures.park();
  const expired = await fixtures.park();
  const still = await fixtures.park();
  await bob.call('check_in', { p_park_id: left });
  await eve.call('check_in', { p_park_id: expired });
  await ann.call('report_condition', { p_park_id: left, p_condition: 'muddy' });
  await (await fixtures.user('Gal')).call('check_in', { p_park_id: still });
  for (const park of [left, expired, still]) await settle(park);
  const before = apply(undefined, await ask(anonymous));
  expect([left, expired, still].map((park) => dogsAt(before, park))).toEqual([1, 1, 1]);

  await ann.call('check_in', { p_park_id: came, p_dog_count: 2 });
  await fixtures.leave(bob);
  await admin.rows`update check_ins set expires_at = clock_timestamp() where park_id = ${expired}`;
  await ann.call('report_condition', { p_park_id: came, p_condition: 'gateClosed' });
  await admin.rows`update private.live_reports set ended_at = now() where park_id = ${left}`;
  const changes = await ask(anonymous, before.at);
  expect(changes.all).toBeUndefined();
  const after = apply(before, changes);
  expect([came, left, expired, still].map((park) => dogsAt(after, park))).toEqual([2, 0, 0, 1]);
  expect(after.parks[came]?.conditions).toEqual(['gateClosed']);
  expect(after.parks[left]).toBeUndefined();
  // A visit that did not change is not sent again.
  expect(dogsAt(apply(undefined, changes), still)).toBe(0);
});

test('a park that was taken off the map is missing in full responses and in changes', async () => {
  const [open, gone] = [await fixtures.park(), await fixtures.park()];
  for (const park of [open, gone]) {
    const visitor = await fixtures.user('Gil');
    await visitor.call('check_in', { p_park_id: park });
    for (const condition of ['brokenFountain', 'muddy'])
      await visitor.call('report_condition', { p_park_id: park, p_condition: condition });
    await visitor.call('report_hazard', { p_park_id: park, p_hazard: 'glass' });
  }
  const before = await ask(anonymous);
  await admin.rows(`update parks set status = 'rejected' where id = $1`, [gone]);
  const answers = [await ask(anonymous), await ask(anonymous, before.at - 1)];
  for (const { conditions, hazards } of answers) {
    expect(conditions?.[open]).toEqual(['muddy', 'brokenFountain']);
    expect(hazards?.[open]).toEqual({ glass: false });
    expect([conditions?.[gone], hazards?.[gone]]).toEqual([undefined, undefined]);
  }
  expect(apply(undefined, before).parks[gone]?.dogs_now).toBe(1);
  for (const answer of answers) expect(dogsAt(apply(undefined, answer), gone)).toBe(0);
});

test('a visit that commits late is still sent', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park()];
  const { client, end } = await fixtures.hold(
    `select set_config('request.jwt.claims', '{"sub":"${noa.id}"}', true)`,
  );
  await client.query('select check_in($1)', [park]);
  const before = apply(undefined, await ask(anonymous));
  expect(dogsAt(before, park)).toBe(0);
  // Simulates a transaction that started eight seconds ago and commits now.
  await client.query(
    `update check_ins set started_at = to_timestamp($2::float8 * 3) - interval '8 seconds' where park_id = $1`,
    [park, before.at],
  );
  await end();
  expect(dogsAt(apply(before, await ask(anonymous, before.at)), park)).toBe(1);
});

test('if nothing changed, the next request stays the same', async () => {
  await admin.rows`update check_ins set started_at = started_at - interval '1 hour',
    expires_at = expires_at + interval '1 hour' where ended_at is null`;
  await admin.rows`update check_ins set ended_at = started_at + interval '1 minute',
    started_at = started_at - interval '1 hour' where ended_at is not null`;
  await admin.rows`update private.live_reports set reported_at = reported_at - interval '1 hour',
    ended_at = ended_at - interval '1 hour'`;
  const { at } = await ask(anonymous);
  expect(await ask(anonymous, at - 3)).toEqual({ at: at - 3 });
});

test.each([
  ['the future', (at: number) => at + 100],
  ['long ago', (at: number) => at - 100_000],
  ['nonsense', () => -1],
])('a request since %s gets the full response', async (_name, since) => {
  const { at } = await ask(anonymous);
  expect(await ask(anonymous, since(at))).toMatchObject({ all: true });
});

test('friends are shown with their dogs; nobody is their own friend, or a friend by sending a request', async () => {
  const [noa, friend, asked] = await fixtures.users('Noa', 'Dana', 'Lior');
  const park = await fixtures.park();
  await fixtures.befriend(noa, friend);
  await asked.call('send_friend_request', { p_user_id: noa.id });
  const dog = await addDog(noa);
  await noa.call('check_in', { p_park_id: park, p_dog_ids: [dog] });
  const photo = `${noa.id}/dogs/${dog}/primary/rex.webp`;
  await admin.rows`insert into storage.objects (bucket_id, name) values ('users', ${photo})`;
  const dogs = [{ id: dog, name: 'Rex', photo }];
  expect(await friend.call('friends_now')).toMatchObject([
    { id: noa.id, name: 'Noa', picture: photo, park_id: park, dogs },
  ]);
  for (const who of [noa, asked]) {
    expect(await who.call('friends_now')).toEqual([]);
    const status = await who.call('park_status', { p_park_id: park });
    expect(status).toMatchObject({ friends_here: [] });
  }
});

test('a friend who switched parks, left, or whose stay has expired is no longer shown', async () => {
  const [noa, friend] = await fixtures.users('Noa', 'Dana');
  const [park, next] = [await fixtures.park(), await fixtures.park()];
  await fixtures.befriend(noa, friend);
  const go = (to: number) => noa.call('check_in', { p_park_id: to, p_switch: true });
  const seen = async () => {
    const status = await friend.call('park_status', { p_park_id: park });
    const now = (await friend.call('friends_now')) as { park_id: number }[];
    return [(status as { friends_here: object[] }).friends_here.length, now[0]?.park_id];
  };
  await go(park);
  expect(await seen()).toEqual([1, park]);
  await go(next);
  expect(await seen()).toEqual([0, next]);
  await fixtures.leave(noa);
  expect(await seen()).toEqual([0, undefined]);
  await go(park);
  expect(await seen()).toEqual([1, park]);
  await admin.rows`update check_ins set started_at = now() - interval '2 hours', expires_at = now() - interval '1 second' where user_id = ${noa.id}`;
  expect(await seen()).toEqual([0, undefined]);
});

test('a rating is published with the next change of a park, or after an hour', async () => {
  const [noa, park] = [await fixtures.user('Noa'), await fixtures.park('Rated park')];
  // The user is a regular, because the rating of a newcomer without a visit would not count.
  await fixtures.regulars([noa], park);
  const stale = async () => (await service.call('stale_park_list')) as string[] | null;
  await service.call('park_list_published', { p_changes: await stale() });
  await saveReview(noa, park, { p_rank: 4 });
  expect(await stale()).toBeNull();
  await admin.rows`update private.park_list_changes set due_at = due_at - interval '1 hour'`;
  const due = await stale();
  expect(due).toHaveLength(1);
  const list = (await service.call('parks_for_publishing', { p_language: 'en' })) as {
    id: number;
    rank?: number;
    reviews?: number;
  }[];
  expect(list.find(({ id }) => id === park)).toMatchObject({ rank: 4, reviews: 1 });
  await service.call('park_list_published', { p_changes: due });
  await saveReview(noa, park, { p_rank: 5 });
  await fixtures.park('Another park');
  expect(await stale()).toHaveLength(2);
});

/** Creates a regular with a dog of each given size. */
async function owner(...sizes: string[]): Promise<{ user: TestUser; dogs: string[] }> {
  const user = await fixtures.user('Somebody');
  await fixtures.regulars([user]);
  const dogs = await user.column`insert into dogs (name, breed, gender, birthday, size, energy)
     select 'A', 'mixed', 'MALE', '2022-01-01', size, 'HIGH' from unnest(${sizes}::dog_size[]) size returning id`;
  return { user, dogs };
}
const arrive = ({ user, dogs }: Awaited<ReturnType<typeof owner>>, park: number, place = {}) =>
  user.call('check_in', {
    p_park_id: park,
    p_dog_ids: dogs,
    p_location: { lat: 32.1, long: 34.8, accuracy: 20 },
    ...place,
  });
const company = (park: number) => anonymous.call('park_company', { p_park_id: park });
const tenMinutesLater = () => admin.rows('update private.park_companies set slot = slot - 1');

const SEED = Number(process.env.SEED ?? 1);

/** Returns all data that may depend on who is at a park and that the public or a stranger with an account can read. */
async function look(park: number, stranger: TestUser, before: LiveCounts) {
  const live = [
    apply(undefined, await ask(anonymous)),
    apply(before, await ask(anonymous, before.at)),
  ];
  const asked = async (who: Caller) => [
    await who.call('park_status', { p_park_id: park }),
    await who.call('park_company', { p_park_id: park }),
    Object.values((await who.call('park_cards', { p_park_ids: [park] })) as object),
    ((await who.call('park_pack_times', { p_park_id: park })) as object[]).map((meeting) => ({
      ...meeting,
      id: null,
    })),
  ];
  return [
    live.map(({ parks }) => parks[park]),
    await asked(anonymous),
    await asked(stranger),
    await stranger.call('friends_now'),
    await stranger.rows('select * from dogs order by id'),
    await stranger.rows('select * from users order by id'),
  ];
}

test.each([2, 4])(
  `with %i accounts an attacker cannot tell who is there with which dogs (seed ${SEED})`,
  async (many) => {
    const random = seeded(SEED * many);
    const some = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          owner(
            ...Array.from({ length: 1 + (index % 2) }, () =>
              random.pick(['SMALL', 'MEDIUM', 'LARGE']),
            ),
          ),
        ),
      );
    const [own, others] = [await some(many), await some(7)];
    const [stranger] = own.map(({ user }) => user) as [TestUser];
    const ids = (who: typeof own) => who.map(({ user }) => user.id);
    await admin.rows`update users set hidden = true where id = any (${ids(others).slice(0, 2)})`;
    const leave = (who: typeof own) =>
      admin.rows`delete from check_ins where user_id = any (${ids(who)}) and ended_at is null`;
    const group = () => others.filter(() => random.chance(0.35));
    const dogsOf = (who: typeof own) => who.flatMap(({ dogs }) => dogs).length;
    for (let round = 0; round < 6; round += 1) {
      // Two groups with equal numbers of dogs. They have too few users for a description or for traits, so the responses must not
      // differ.
      let pair = [group(), group()] as const;
      const alike = ([a, b]: typeof pair) =>
        dogsOf(a) === dogsOf(b) &&
        ids(a).join() !== ids(b).join() &&
        (a.length === b.length) === (round % 2 === 0) &&
        Math.max(a.length, b.length) < (round % 2 === 0 ? 9 : 7) - many;
      while (!alike(pair)) pair = [group(), group()];
      const members = [...ids(own), ...ids(others).slice(round % 3, (round % 3) + 4)];
      const steps = Array.from({ length: 4 }, () => own.slice(random.upTo(many + 1)));
      const [{ moment } = {}] = await admin.rows<{ moment: string }>(
        `select date_bin('15 minutes', private.park_time(now()), '2000-01-01')::text as moment`,
      );
      const seen: unknown[][] = [];
      for (const there of pair) {
        const park = await fixtures.park();
        await admin.rows`with pack as (insert into private.pack_times (park_id, weekday, starts)
             values (${park}, extract(dow from ${moment}::timestamp), ${moment}::timestamp::time) returning id)
           insert into private.pack_time_members (pack_time_id, user_id) select id, unnest(${members}::uuid[]) from pack`;
        await admin.rows('delete from private.rate_limits');
        const before = apply(undefined, await ask(anonymous));
        for (const each of there)
          await arrive(each, park, random.chance(0.2) ? { p_location: null } : {});
        const world = [];
        for (const here of steps) {
          await leave(own);
          for (const each of here) await arrive(each, park);
          world.push(await look(park, stranger, before));
          expect(dogsAt(apply(undefined, await ask(anonymous)), park)).toBe(
            dogsOf(there) + dogsOf(here),
          );
          await tenMinutesLater();
        }
        seen.push(world);
        await leave([...own, ...others]);
      }
      expect(seen[0]).toEqual(seen[1]);
    }
  },
);

test('the traits of most dogs are published if nine regulars are there, the same for ten minutes', async () => {
  const park = await fixtures.park();
  const newcomer = await fixtures.user('New');
  await newcomer.call('check_in', { p_park_id: park, p_dog_count: 1 });
  expect(await company(park)).toBeNull();
  await tenMinutesLater();
  const nine = await Promise.all(
    Array.from({ length: 9 }, (_, index) => owner(index < 7 ? 'SMALL' : 'LARGE')),
  );
  for (const each of nine.slice(0, 8)) await arrive(each, park);
  // A check-in without a location does not count towards the dogs' traits.
  const last = nine[8] as (typeof nine)[0];
  await arrive(last, park, { p_location: null });
  expect(await company(park)).toBeNull();
  await fixtures.leave(last.user);
  await arrive(last, park);
  expect(await company(park)).toBeNull();
  await tenMinutesLater();
  expect(await company(park)).toEqual({ size: 'SMALL', energy: 'HIGH' });
  await fixtures.leave(last.user);
  expect(await company(park)).toEqual({ size: 'SMALL', energy: 'HIGH' });
  await tenMinutesLater();
  expect(await company(park)).toBeNull();
  expect(
    await admin.value(
      `select array[private.mostly('[["SMALL"],["SMALL"],["SMALL"],["SMALL"],["SMALL"],["LARGE"],["LARGE"],["LARGE"],["LARGE"]]'),
         private.crowd(6), private.crowd(7), private.crowd(10), private.crowd(15)]`,
    ),
  ).toEqual(['MIXED', null, 'few', 'several', 'many']);
});

test('whatever four accounts bring, a published trait is that of at least three others', async () => {
  // For each number of other users, of those with a trait, and of the attacker's four accounts with it: the published trait.
  const told = await admin.rows<{ others: number; carriers: number; size: string; some: string }>`
    select others, carriers, own, private.mostly((
        select jsonb_agg(jsonb_build_array(case when n <= carriers or n > others + 4 - own then 'SMALL' else 'LARGE' end))
        from generate_series(1, others + 4) n)) as size,
      private.how_many(carriers + own, others + 4) as some
    from generate_series(0, 12) others, generate_series(0, others) carriers, generate_series(0, 4) own`;
  const of = (trait: (row: (typeof told)[0]) => boolean) =>
    told.filter(trait).map(({ carriers }) => carriers);
  const least = (found: number[]) => [found.length > 9, Math.min(...found)];
  expect(least(of(({ size }) => size === 'SMALL'))).toEqual([true, 3]);
  expect(least(of(({ some }) => some === 'SOME'))).toEqual([true, 3]);
  expect(least(of(({ some }) => some === 'MOST'))).toEqual([true, 3]);
  expect(
    told.filter(({ others, size, some }) => others < 5 && (size !== null || some !== null)),
  ).toEqual([]);
});

test('puppies are mentioned once seven users bring one', async () => {
  const park = await fixtures.park();
  const there = await Promise.all(Array.from({ length: 11 }, () => owner('SMALL', 'LARGE')));
  const young = (who: typeof there) =>
    admin.rows`update dogs set birthday = current_date - 300 where id = any (${who.map(({ dogs }) => dogs[0])})`;
  await young(there.slice(0, 6));
  for (const each of there) await arrive(each, park);
  const mixed = { size: 'MIXED', energy: 'HIGH' };
  expect(await company(park)).toEqual(mixed);
  await tenMinutesLater();
  await young(there.slice(0, 7));
  expect(await company(park)).toEqual({ ...mixed, puppies: 'SOME' });
  await tenMinutesLater();
  await young(there.slice(0, 8));
  expect(await company(park)).toEqual({ ...mixed, puppies: 'MOST' });
});
