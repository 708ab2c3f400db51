// Tests reviews: one per user and park, counted, reported, hidden by moderators; terms and age must be confirmed first.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createFixtures,
  errorCode,
  type Caller,
  type TestUser,
  saveReview,
  submitPark,
  decide,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

/** Saves a review and returns its ID; null if the response contains none. */
const save = async (
  user: TestUser,
  park: number,
  rank: number,
  more: Record<string, unknown> = {},
) => {
  const review = { p_title: 'Title', p_content: 'Content', p_rank: rank, ...more };
  return ((await saveReview(user, park, review)) as { id: string } | null)?.id ?? null;
};
const rating = async (park: number) => {
  const status = (await fixtures.anonymous.call('park_status', { p_park_id: park })) as Record<
    string,
    unknown
  >;
  return [status.average_rank, status.review_count, status.rank_distribution];
};

const nextDay = async () => {
  await admin.rows(`update reviews set updated_at = updated_at - interval '1 day'`);
  await admin.rows('select private.reduce_history()');
};

test('saving a review again edits it; the park counts each author once', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park();
  await fixtures.visited(park, [ann, bob]);
  const first = await save(ann, park, 2);
  await save(bob, park, 5);
  expect(await rating(park)).toEqual([3.5, 2, [0, 1, 0, 0, 1]]);
  expect(await save(ann, park, 4, { p_title: ' Better ' })).toBe(first);
  expect(await rating(park)).toEqual([4.5, 2, [0, 0, 0, 1, 1]]);
  expect(await ann.rows('select title, rank, park_name from my_reviews()')).toEqual([
    { title: 'Better', rank: 4, park_name: 'Test park' },
  ]);
  await ann.call('delete_review', { p_review_id: first });
  expect(await rating(park)).toEqual([5, 1, [0, 0, 0, 0, 1]]);
  await bob.rows('delete from reviews where author = $1', [bob.id]);
  expect(await rating(park)).toEqual([null, 0, [0, 0, 0, 0, 0]]);
});

test('saving returns the review as its author reads it', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  const review = { p_park_id: park, p_title: ' Good ', p_content: '', p_rank: 4 };
  const answer = await ann.call('save_review', { ...review, p_anonymous: true });
  expect(answer).toMatchObject({ title: 'Good', rank: 4, mine: true, author_id: null });
  expect([{ answer }]).toEqual(
    await ann.rows('select to_jsonb(r) as answer from park_reviews r where park_id = $1', [park]),
  );
});

test('a review can be written or edited fifteen times a day, by whichever call', async () => {
  const [eve, park] = [await fixtures.user('Eve'), await fixtures.park()];
  const save = (rank: number) => saveReview(eve, park, { p_rank: rank });
  const edit = (rank: number) =>
    eve.rows('update public.reviews set rank = $2 where park_id = $1', [park, rank]);
  for (let turn = 0; turn < 5; turn += 1) {
    await save(1);
    for (const rank of [5, 4]) await edit(rank);
  }
  expect(await errorCode(edit(3))).toBe('too_many');
  expect(await errorCode(save(3))).toBe('too_many');
});

test('concurrent reviews of one park are all counted', async () => {
  const park = await fixtures.park();
  const users = await fixtures.crowd(12);
  await fixtures.visited(park, users);
  await Promise.all(users.map((user, index) => save(user, park, (index % 5) + 1)));
  expect((await rating(park))[1]).toBe(12);
});

test('a queued review never overwrites a newer one unless its author agrees', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  await fixtures.visited(park, [ann]);
  const mine = async () =>
    (await ann.rows`select title, updated_at::text from park_reviews where park_id = ${park} and mine`) as {
      title: string;
      updated_at: string;
    }[];
  // The earliest date means that the author has seen no review. There is none yet, so the new one is saved.
  await save(ann, park, 3, { p_title: 'First', p_based_on: '1970-01-01T00:00:00Z' });
  const [first] = await mine();
  await save(ann, park, 3, { p_title: 'Second', p_based_on: first?.updated_at });
  const key = randomUUID();
  const late = { p_title: 'Late', p_key: key };
  for (const seen of ['1970-01-01T00:00:00Z', first?.updated_at])
    expect(await errorCode(save(ann, park, 1, { ...late, p_based_on: seen }))).toBe(
      'review_changed',
    );
  expect(await mine()).toMatchObject([{ title: 'Second' }]);
  expect((await rating(park))[0]).toBe(3);
  // The author has seen the newer review and overwrites it. Repeating the command, as after a lost response, returns the same ID.
  const id = await save(ann, park, 1, { ...late, p_based_on: null });
  expect(await save(ann, park, 1, { ...late, p_based_on: first?.updated_at })).toBe(id);
  expect(await mine()).toMatchObject([{ title: 'Late' }]);
});

test('a hidden review, which its author cannot see, does not count as newer', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  const id = await save(ann, park, 3);
  await admin.rows('update reviews set hidden_at = now() where id = $1', [id]);
  expect(await save(ann, park, 4, { p_based_on: '1970-01-01T00:00:00Z' })).toBeNull();
  expect(await admin.rows('select rank from reviews where id = $1', [id])).toEqual([{ rank: 4 }]);
});

test('nothing can be posted before the terms are accepted and the age is confirmed, by any call', async () => {
  const [ann, park] = [await fixtures.user('Ann', { consent: false }), await fixtures.park()];
  const posts = () =>
    Promise.all(
      [
        save(ann, park, 3),
        ann.rows('insert into reviews (park_id, rank) values ($1, 3)', [park]),
        ann.call('report_condition', { p_park_id: park, p_condition: 'muddy' }),
        ann.call('suggest_park_details', { p_park_id: park, p_size: 5 }),
        ann.rows('update parks set size = 5 where id = $1', [park]),
        submitPark(ann, { p_name: 'A' }),
      ].map(errorCode),
    );
  expect(new Set(await posts())).toEqual(new Set(['terms_required']));
  await ann.call('accept_terms');
  expect(new Set(await posts())).toEqual(new Set(['age_required']));
});

test('ranks and lengths are limited', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  expect(await errorCode(save(ann, park, 0))).toBe('invalid_input');
  expect(await errorCode(save(ann, park, 6))).toBe('invalid_input');
  expect(await errorCode(save(ann, park, 3, { p_content: 'x'.repeat(4001) }))).toBe(
    'invalid_input',
  );
  expect(
    await errorCode(ann.rows('insert into reviews (park_id, rank) values ($1, 9)', [park])),
  ).toBe('23514');
});

test('a user can report a review once; moderators can hide the review, and undo that', async () => {
  const [ann, bob, eve] = await fixtures.users('Ann', 'Bob', 'Eve');
  const park = await fixtures.park();
  await fixtures.visited(park, [ann]);
  const review = await save(ann, park, 1);
  const report = (user: TestUser, reason: string) =>
    user.call('report_review', { p_review_id: review, p_reason: reason });
  await report(bob, 'spam');
  await report(bob, 'fake');
  await report(eve, 'fake');
  await report(ann, 'spam');
  const waiting = () => service.rows('select type, id from desk_queue() where id = $1', [review]);
  expect(await waiting()).toEqual([{ type: 'review', id: review }]);
  expect(await service.call('desk_claim', { p_type: 'review', p_id: review })).toMatchObject({
    reports: expect.arrayContaining([
      { reason: 'fake', count: 1 },
      { reason: 'spam', count: 1 },
    ]) as unknown,
  });
  const seen = () =>
    fixtures.anonymous.value('select count(*)::int from park_reviews where park_id = $1', [park]);
  const decision = await decide(service, 'review', review, 'spam');
  expect([await seen(), (await rating(park))[1]]).toEqual([0, 0]);
  expect(await bob.rows('select * from user_reviews($1)', [ann.id])).toEqual([]);
  expect(await ann.rows('select title from my_reviews()')).toEqual([{ title: 'Title' }]);
  expect(await waiting()).toEqual([]);
  await service.call('desk_undo', { p_decision_id: decision });
  expect([await seen(), (await rating(park))[1]]).toEqual([1, 1]);
  expect(await waiting()).toHaveLength(1);
});

test("a profile shows the user's named reviews, to those who see the profile", async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const [named, anonymous] = [await fixtures.park('Named'), await fixtures.park('Anonymous')];
  await save(ann, named, 5);
  await save(ann, anonymous, 1, { p_anonymous: true });
  const profile = () => bob.rows('select park_name from user_reviews($1)', [ann.id]);
  expect(await profile()).toEqual([{ park_name: 'Named' }]);
  await ann.rows('update users set hidden = true where id = $1', [ann.id]);
  expect(await profile()).toEqual([]);
  expect(
    await bob.rows('select author_id, author_name from park_reviews where park_id = $1', [named]),
  ).toEqual([{ author_id: null, author_name: null }]);
});

test('the order of reviews does not reveal when they were written', async () => {
  const park = await fixtures.park();
  const users = await fixtures.crowd(12);
  for (const [index, user] of users.entries())
    await save(user, park, 4, { p_anonymous: index % 2 === 1 });
  await nextDay();
  const ids = (more: string) =>
    fixtures.anonymous.column(`select id from park_reviews where park_id = $1 ${more}`, [park]);
  const sorted = (await ids('')).toSorted();
  expect(sorted).toHaveLength(12);
  expect(await ids('')).toEqual(sorted);
  expect(await ids('order by rank desc')).toEqual(sorted);
  expect(await ids('limit 5')).toEqual(sorted.slice(0, 5));
});

test('a deleted anonymous review loses its text immediately and its stars with the batch of the next day', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  await fixtures.visited(park, [ann]);
  const anonymous = { p_anonymous: true, p_title: 'Mud', p_content: 'Everywhere' };
  const shown = () =>
    fixtures.anonymous.rows('select title, content, rank from park_reviews where park_id = $1', [
      park,
    ]);
  const batch = () =>
    admin.rows`do $$ begin execute (select statement from private.retention where name like 'reviews without%'); end $$`;
  // A review that nobody else has seen is deleted immediately.
  const unseen = await save(ann, park, 1, anonymous);
  await ann.call('delete_review', { p_review_id: unseen });
  expect(await admin.rows('select from reviews where park_id = $1', [park])).toEqual([]);

  const seen = await save(ann, park, 1, anonymous);
  await fixtures.publishRanks();
  await save(ann, park, 1, { ...anonymous, p_title: 'Edited' });
  expect(await shown()).toMatchObject([{ title: 'Mud' }]);
  await ann.call('delete_review', { p_review_id: seen });
  await batch();
  expect(await shown()).toEqual([{ title: '', content: '', rank: 1 }]);
  expect(await rating(park)).toEqual([1, 1, [1, 0, 0, 0, 0]]);
  expect(await ann.rows('select from my_reviews()')).toEqual([]);
  // The next review of the same author waits for its own batch.
  await save(ann, park, 5, anonymous);
  expect(await rating(park)).toEqual([1, 1, [1, 0, 0, 0, 0]]);
  // A named review counts immediately, because a delay would link it to the deleted one.
  await save(ann, park, 5);
  expect(await rating(park)).toEqual([3, 2, [1, 0, 0, 0, 1]]);
  await admin.rows("update reviews set remove_at = remove_at - interval '1 day' where id = $1", [
    seen,
  ]);
  await batch();
  expect(await rating(park)).toEqual([5, 1, [0, 0, 0, 0, 1]]);
});

test('a review that a moderator hid stays hidden when it is deleted and written again', async () => {
  const [ann, park] = [await fixtures.user('Ann'), await fixtures.park()];
  const shown = () =>
    fixtures.anonymous.rows('select title from park_reviews where park_id = $1', [park]);
  const bad = { p_title: 'Bad' };
  const first = await save(ann, park, 1, bad);
  await admin.rows('update reviews set hidden_at = now() where id = $1', [first]);
  await ann.call('delete_review', { p_review_id: first });
  await save(ann, park, 1, bad);
  expect(await shown()).toEqual([]);
  const second = await admin.value('select id from reviews where park_id = $1', [park]);
  await admin.rows('update reviews set hidden_at = null where id = $1', [second]);
  expect(await shown()).toEqual([{ title: 'Bad' }]);
  await ann.call('delete_review', { p_review_id: second });
  await save(ann, park, 1, bad);
  expect(await shown()).toHaveLength(1);
});

test('a review that becomes anonymous cannot be recognised by readers who saw it with its name', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park();
  const named = await save(ann, park, 2);
  await bob.call('report_review', { p_review_id: named, p_reason: 'spam' });
  await admin.rows`update reviews set created_at = now() - interval '9 days', updated_at = now() - interval '8 days' where id = ${named}`;
  const shown = () =>
    fixtures.anonymous.rows<{ id: string; author_id: string | null; created_at: Date }>(
      'select id, author_id, created_at, updated_at from park_reviews where park_id = $1',
      [park],
    );
  const [before] = await shown();
  expect(before?.author_id).toBe(ann.id);
  const id = await save(ann, park, 2, { p_anonymous: true });
  // The review is not shown on the same day, because readers could match it with the one that disappeared.
  expect(await shown()).toEqual([]);
  await nextDay();
  const [after] = await shown();
  expect(after?.author_id).toBeNull();
  expect(after?.id).toBe(id);
  expect(after?.id).not.toBe(named);
  expect(after?.created_at).not.toEqual(before?.created_at);
  // The reports about the review stay, and another edit does not change the ID again.
  expect(await service.rows('select id from desk_queue() where id = $1', [id])).toEqual([{ id }]);
  expect(await save(ann, park, 3, { p_anonymous: true })).toBe(id);
  // Updating the table directly has the same effect.
  expect(
    await ann.value`update reviews set anonymous = false where author = ${ann.id} returning id`,
  ).toBe(id);
  expect(
    await ann.value`update reviews set anonymous = true where id = ${id} returning id`,
  ).not.toBe(id);
});

test('anonymous reviews and their changes become public the next day, in one batch', async () => {
  const park = await fixtures.park();
  const [ann, friend, former, blocked] = await fixtures.users('Ann', 'Friend', 'Ex', 'Blocked');
  const own = await fixtures.crowd(4);
  const twenty = await fixtures.crowd(20);
  await fixtures.visited(park, [ann, ...own, ...twenty]);
  await fixtures.regulars([ann, ...own], park);
  for (const user of [friend, former]) await fixtures.befriend(ann, user);
  await ann.call('unfriend', { p_user_id: former.id });
  await ann.call('block_user', { p_user_id: blocked.id });
  // An attacker knows the ranks of their own accounts and could subtract them from the average.
  for (const user of own) await save(user, park, 3, { p_anonymous: false });
  const read = async (who: Caller) => [
    await who.rows`select title, content, rank, updated_at from park_reviews
      where park_id = ${park} and not mine order by rank, id`,
    await who.call('park_status', { p_park_id: park }).then((status) => {
      const { average_rank, review_count, rank_distribution } = status as Record<string, unknown>;
      return [average_rank, review_count, rank_distribution];
    }),
    await service.value`select x -> 'rank' from parks_for_publishing('en') p, json_array_elements(p) x where x ->> 'id' = ${String(park)}`,
  ];
  const readers = [fixtures.anonymous, friend, former, blocked, ...own, ...twenty.slice(0, 2)];
  const all = () => Promise.all(readers.map(read));
  const before = await all();
  const first = await save(ann, park, 1, { p_anonymous: true, p_title: 'Quiet' });
  expect(await all()).toEqual(before);
  expect(await ann.rows`select title, rank from park_reviews where mine`).toEqual([
    { title: 'Quiet', rank: 1 },
  ]);
  expect(await errorCode(ann.rows`update reviews set public_rank = 5 where id = ${first}`)).toBe(
    '42501',
  );
  // The daily job does not publish reviews of the same day.
  await admin.rows('select private.reduce_history()');
  expect(await all()).toEqual(before);
  await Promise.all(twenty.map((user) => save(user, park, 2, { p_anonymous: true })));
  expect(await all()).toEqual(before);
  await nextDay();
  expect(await rating(park)).toMatchObject([expect.any(Number), 25, [1, 20, 4, 0, 0]]);
  const changed = await all();
  expect(changed[0]?.[0]).toHaveLength(25);
  // An edit is published by the next daily job; until then, other users and moderators see the old review.
  await save(ann, park, 5, { p_anonymous: true, p_title: 'Loud' });
  await ann.rows`update reviews set rank = 4, content = 'Edited twice' where id = ${first}`;
  expect(await all()).toEqual(changed);
  await friend.call('report_review', { p_review_id: first, p_reason: 'spam' });
  expect(
    await admin.value`select context -> 'review' from private.desk_reviews where id = ${first}`,
  ).toMatchObject({ title: 'Quiet', content: 'Content' });
  expect(await ann.rows`select title, content, rank from park_reviews where mine`).toEqual([
    { title: 'Loud', content: 'Edited twice', rank: 4 },
  ]);
  await nextDay();
  expect(
    await friend.rows`select title, content, rank from park_reviews where id = ${first}`,
  ).toEqual([{ title: 'Loud', content: 'Edited twice', rank: 4 }]);
  expect((await rating(park))[2]).toEqual([0, 20, 4, 1, 0]);
  // A review with the name is public immediately. If its author becomes anonymous again, it disappears until the next day.
  await save(ann, park, 5, { p_anonymous: false });
  expect((await rating(park))[2]).toEqual([0, 20, 4, 0, 1]);
  await save(ann, park, 5, { p_anonymous: true });
  expect((await rating(park))[2]).toEqual([0, 20, 4, 0, 0]);
});

test('only the author learns more than the day of a review', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const park = await fixtures.park();
  await save(ann, park, 5);
  const days = (who: Caller, from: string) =>
    who.rows(
      `select created_at = date_trunc('day', created_at, 'Asia/Jerusalem') as created,
        updated_at = date_trunc('day', updated_at, 'Asia/Jerusalem') as updated from ${from}`,
    );
  for (const who of [fixtures.anonymous, bob])
    expect(await days(who, `park_reviews where park_id = ${park}`)).toEqual([
      { created: true, updated: true },
    ]);
  expect(await days(bob, `user_reviews('${ann.id}')`)).toEqual([{ created: true, updated: true }]);
  for (const own of [`park_reviews where park_id = ${park}`, 'my_reviews()'])
    expect(await days(ann, own)).toEqual([{ created: false, updated: false }]);
});

test('users whom the author blocked do not see the name on the review, logged in or out', async () => {
  const [ann, bob, cara, dan] = await fixtures.users('Ann', 'Bob', 'Cara', 'Dan');
  const park = await fixtures.park();
  await save(ann, park, 4);
  await save(bob, park, 2);
  await save(dan, park, 5, { p_anonymous: true });
  await nextDay();
  const seen = (who: Caller) =>
    who.rows`select rank, author_id, author_name from park_reviews where park_id = ${park} order by rank`;
  const nameless = [4, 5].map((rank) => ({ rank, author_id: null, author_name: null }));
  const bobs = { rank: 2, author_id: bob.id, author_name: 'Bob' };
  const anns = { rank: 4, author_id: ann.id, author_name: 'Ann' };
  expect(await seen(cara)).toEqual([bobs, anns, nameless[1]]);
  await ann.call('block_user', { p_user_id: cara.id });
  expect(await seen(cara)).toEqual([bobs, ...nameless]);
  expect(await seen(fixtures.anonymous)).toEqual([bobs, ...nameless]);
  // Blocking reveals nothing, because anonymous reviews stay visible.
  for (const author of [ann, dan]) await cara.call('block_user', { p_user_id: author.id });
  expect(await seen(cara)).toEqual([bobs, ...nameless]);
  // A user who has blocked a known author does not see the author's reviews, even after being blocked in return.
  await cara.call('block_user', { p_user_id: bob.id });
  expect(await seen(cara)).toEqual(nameless);
  await bob.call('block_user', { p_user_id: cara.id });
  expect(await seen(cara)).toEqual(nameless);
});
