// Tests removed parks: closed, not a dog park, or merged into another with everything that users contributed.
import { expect, test } from 'vitest';
import {
  createFixtures,
  contributePhoto,
  errorCode,
  type TestUser,
  inviteTo,
  saveReview,
  submitPark,
  decide,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

const rate = (user: TestUser, park: number, rank: number, title = '') =>
  saveReview(user, park, { p_title: title, p_rank: rank });
const merge = (from: number, into: number) =>
  admin.value('select private.merge_parks($1, $2)', [from, into]);
const removed = (park: number) =>
  fixtures.anonymous.value('select public.removed_park($1)', [park]) as Promise<{
    reason: string;
    merged_into: number | null;
    park: object | null;
  } | null>;

test('a merge moves reviews, favourites, meetings, reports, photos and open visits; the newer of two reviews stays', async () => {
  const [from, into] = [await fixtures.park('Old name'), await fixtures.park('New name')];
  const [ann, bob, cat] = await fixtures.users('Ann', 'Bob', 'Cat');
  await fixtures.befriend(ann, bob);
  for (const park of [from, into]) await fixtures.visited(park, [ann, bob, cat]);
  await rate(ann, from, 1, 'Ann before');
  await rate(ann, into, 5, 'Ann now');
  await rate(bob, into, 2, 'Bob before');
  await rate(bob, from, 4, 'Bob now');
  await rate(cat, from, 3, 'Cat only');
  for (const park of [from, into])
    await ann.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  await bob.rows('insert into favourite_parks (park_id) values ($1)', [from]);
  await cat.call('check_in', { p_park_id: from });
  for (const park of [from, into])
    await ann.call('report_condition', { p_park_id: park, p_condition: 'muddy' });
  await bob.call('report_hazard', { p_park_id: from, p_hazard: 'glass' });
  await inviteTo(from, ann, [bob]);
  const photo = await contributePhoto(service, from, 'parks');

  expect(await merge(from, into)).toEqual({
    reviews: 3,
    visits: 4,
    favourites: 2,
    replaced_reviews: 2,
  });

  expect(
    await fixtures.anonymous
      .rows`select title, rank from park_reviews where park_id = ${into} order by title`,
  ).toEqual([
    { title: 'Ann now', rank: 5 },
    { title: 'Bob now', rank: 4 },
    { title: 'Cat only', rank: 3 },
  ]);
  expect(await fixtures.anonymous.call('park_status', { p_park_id: into })).toMatchObject({
    average_rank: 4,
    review_count: 3,
    rank_distribution: [0, 0, 1, 1, 1],
    dogs_now: 1,
    conditions: [{ condition: 'muddy' }],
    hazards: [{ hazard: 'glass' }],
  });
  for (const [user, title, park] of [
    [ann, 'Ann before', 'Old name'],
    [bob, 'Bob before', 'New name'],
  ] as const) {
    expect(await user.rows('select park_id::int from favourite_parks')).toEqual([
      { park_id: into },
    ]);
    const copy = await fixtures.exportOf(user.id);
    expect(copy).toMatchObject({ replaced_reviews: [{ title, park }] });
  }
  expect(await bob.rows('select park_id::int from park_invites')).toEqual([{ park_id: into }]);
  expect(await cat.rows('select park_id::int from my_check_in()')).toEqual([{ park_id: into }]);
  expect(
    await fixtures.anonymous.value('select primary_photo from parks where id = $1', [into]),
  ).toBe(photo);
  // The merged park is no longer listed. Only the reason and the other park can be read.
  expect(await fixtures.anonymous.rows('select id from parks where id = $1', [from])).toEqual([]);
  expect(await removed(from)).toMatchObject({ reason: 'duplicate', merged_into: into });
});

/** Returns the usual hours on a park's page and cards. Hours without dogs are omitted. */
const usual = (park: number) =>
  admin.rows(
    'select hour, dogs::float, samples from private.usual_hours(array[$1::bigint]) where samples > 0 order by day_type, hour',
    [park],
  );
const wasAt = (user: TestUser, park: number) =>
  admin.value('select e.is_present from private.evidence_at($1, $2) e', [user.id, park]);

test('visits and usual hours of a merged park count once at the other park, and continue there', async () => {
  const [from, into, third] = [
    await fixtures.park('Old name'),
    await fixtures.park('New name'),
    await fixtures.park('Third name'),
  ] as [number, number, number];
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await fixtures.visited(from, [ann]);
  // Last week, both parks had dogs at nine o'clock, and each had dogs at one more hour, ten or eleven. The usual number is an
  // average over the five weekdays or the two days of the weekend.
  await fixtures.busyLastWeek([
    [from, 9, 2],
    [from, 10, 1],
    [into, 9, 3],
    [into, 11, 4],
  ]);
  const [, ten] = await usual(from);
  const days = 1 / Number(ten?.['dogs']);
  expect([2, 5]).toContain(days);
  await merge(from, into);
  const sum = [
    { hour: 9, dogs: 5 / days, samples: 1 },
    { hour: 10, dogs: 1 / days, samples: 1 },
    { hour: 11, dogs: 4 / days, samples: 1 },
  ];
  expect(await usual(into)).toEqual(sum);
  expect(await usual(from)).toEqual([]);
  expect([await wasAt(ann, into), await wasAt(bob, into)]).toEqual([true, false]);
  const visits = async () =>
    ((await fixtures.exportOf(ann.id)) as { check_ins: { park: string }[] }).check_ins.map(
      ({ park }) => park,
    );
  expect(await visits()).toEqual(['New name']);

  await merge(into, third);
  expect(await usual(third)).toEqual(sum);
  expect([await wasAt(ann, third), await wasAt(ann, into)]).toEqual([true, false]);
  expect(await visits()).toEqual(['Third name']);
});

test('a question about a park that was merged meanwhile is answered for the other park', async () => {
  const [from, into] = [await fixtures.park(), await fixtures.park()];
  const ann = await fixtures.user('Ann');
  await ann.call('check_in', { p_park_id: from });
  const question = (await ann.call('park_question')) as { check_in_id: string; fact: string };
  await fixtures.leave(ann);
  await merge(from, into);
  await ann.call('respond_to_park_question', {
    p_check_in_id: question.check_in_id,
    p_value: 'yes',
  });
  expect(
    await admin.rows`select park_id::int, fact, trust_level from private.fact_answers where user_id = ${ann.id}`,
  ).toEqual([{ park_id: into, fact: question.fact, trust_level: 'newcomer_there' }]);
});

test('a check-in during a merge does not stay at the merged park', async () => {
  const [from, into] = [await fixtures.park(), await fixtures.park()];
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  // A check-in that started earlier is moved. A later one fails because the park does not exist.
  const arriving = await fixtures.hold(
    `insert into check_ins (user_id, park_id, dog_count, expires_at) values ($1, $2, 1, now() + interval '1 hour')`,
    [ann.id, from],
  );
  const merging = merge(from, into);
  await fixtures.waiting(1);
  await arriving.end();
  await merging;
  expect(await ann.rows('select park_id::int from my_check_in()')).toEqual([{ park_id: into }]);

  const third = await fixtures.park();
  const further = await fixtures.hold('select private.merge_parks($1, $2)', [into, third]);
  const late = errorCode(bob.call('check_in', { p_park_id: into }));
  await fixtures.waiting(1);
  await further.end();
  expect(await late).toBe('park_not_found');
  expect(await fixtures.anonymous.call('park_status', { p_park_id: third })).toMatchObject({
    people: null,
  });
});

test('facts that a park takes over keep their source and date', async () => {
  const [from, into] = [await fixtures.park(), await fixtures.park()];
  await admin.rows`update public.parks set source = 'City', source_date = '2026-03-01', size = 500, shade = 4, has_facilities = true,
       facts = '{"lit": "yes", "bench": "yes"}', fact_sources = '{"shade": ["community", "2026-04-01"], "lit": ["community", "2026-05-01"]}'
     where id = ${from}`;
  await admin.rows(
    `update public.parks set has_facilities = false, size = null, shade = null, facts = '{}', fact_sources = '{}' where id = $1`,
    [into],
  );
  await merge(from, into);
  expect(
    await admin.rows`select size::float, shade::float, has_facilities, facts, fact_sources from public.parks where id = ${into}`,
  ).toEqual([
    {
      size: 500,
      shade: 4,
      has_facilities: false,
      facts: { lit: 'yes', bench: 'yes' },
      fact_sources: {
        size: ['City', '2026-03-01'],
        shade: ['community', '2026-04-01'],
        lit: ['community', '2026-05-01'],
        bench: ['City', '2026-03-01'],
      },
    },
  ]);
});

test("the old URL still redirects after the park's contributor is gone", async () => {
  const [ann, into] = [await fixtures.user('Ann'), await fixtures.park()];
  const from = Number(await submitPark(ann, { p_name: 'Given' }));
  await decide(service, 'park', from);
  await merge(from, into);
  await service.call('delete_user_data', { p_user_id: ann.id });
  expect(await removed(from)).toMatchObject({ reason: 'duplicate', merged_into: into });
});

test('a merge does not reveal anonymous authors: such a review stays visible without an author', async () => {
  const [from, into] = [await fixtures.park('Old name'), await fixtures.park('New name')];
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  for (const park of [from, into]) await fixtures.visited(park, [ann, bob]);
  const write = (who: TestUser, park: number, rank: number, title: string, anonymous: boolean) =>
    saveReview(who, park, { p_title: title, p_rank: rank, p_anonymous: anonymous });
  await write(ann, into, 5, 'Of Ann', false);
  await write(ann, from, 1, 'A secret of hers', true);
  await write(bob, into, 2, 'A secret of his', true);
  await write(bob, from, 4, 'Another of his', true);
  await fixtures.publishRanks();
  const read = () =>
    fixtures.anonymous
      .rows`select id, title, rank, author_name from park_reviews where park_id in (${from}, ${into}) order by title`;
  const before = await read();
  expect(before.length).toBe(4);
  // Even the moderator's result does not reveal that anonymous reviews were replaced.
  expect(await merge(from, into)).toMatchObject({ reviews: 2, replaced_reviews: 0 });
  expect(await read()).toEqual(before);
  expect(await ann.rows('select title from my_reviews()')).toEqual([{ title: 'Of Ann' }]);
  expect(await bob.rows('select title from my_reviews()')).toEqual([{ title: 'Another of his' }]);
  for (const [user, title] of [
    [ann, 'A secret of hers'],
    [bob, 'A secret of his'],
  ] as const)
    expect(await fixtures.exportOf(user.id)).toMatchObject({ replaced_reviews: [{ title }] });
  // Replaced anonymous reviews are deleted at a random time, like those of deleted accounts.
  expect(
    await admin.value`select count(*)::int from reviews where park_id = ${into} and author is null
       and remove_at between now() and now() + interval '30 days'`,
  ).toBe(2);
});

test('the URL of a park that was merged twice redirects to the last one', async () => {
  const [first, second, third] = [
    await fixtures.park(),
    await fixtures.park(),
    await fixtures.park(),
  ] as [number, number, number];
  await merge(first, second);
  await merge(second, third);
  expect(await removed(first)).toMatchObject({ reason: 'duplicate', merged_into: third });
  expect(await errorCode(merge(third, first))).toBe('park_not_found');
  expect(await errorCode(merge(third, third))).toBe('park_not_found');
  // A park that was merged by mistake can be listed again, but moved data stays with the other park.
  await admin.rows('select private.relist_park($1)', [first]);
  expect(await removed(first)).toBeNull();
});

test('a review that a moderator hid stays hidden where it is moved', async () => {
  const [from, into] = [await fixtures.park(), await fixtures.park()];
  const ann = await fixtures.user('Ann');
  await fixtures.visited(from, [ann]);
  const { id } = (await rate(ann, from, 1)) as { id: string };
  await admin.rows('update reviews set hidden_at = now() where id = $1', [id]);
  await merge(from, into);
  const shown = () =>
    fixtures.anonymous.rows('select id from park_reviews where park_id = $1', [into]);
  expect(await shown()).toEqual([]);
  await ann.call('delete_review', { p_review_id: id });
  await rate(ann, into, 1);
  expect(await shown()).toEqual([]);
});

test('a closed park is off the map, but everybody can read why, with its name, location and reviews', async () => {
  const [park, never] = [await fixtures.park('Cedar Yard'), await fixtures.park('A rude name')];
  const ann = await fixtures.user('Ann');
  for (const [where, title] of [
    [park, 'It was good'],
    [never, 'It was none'],
  ] as const)
    await rate(ann, where, 4, title);
  const close = (where: number, p_reason: string) =>
    admin.value('select private.close_park($1, $2)', [where, p_reason]);
  const reviews = () =>
    fixtures.anonymous
      .rows`select title, author_name from park_reviews where park_id in (${park}, ${never})`;
  expect(await errorCode(close(park, 'duplicate'))).toBe('invalid_input');
  expect(await close(park, 'closed')).toBe(true);
  expect(await close(park, 'closed')).toBe(false);
  expect(await close(never, 'notDogPark')).toBe(true);
  expect(
    await fixtures.anonymous.rows('select id from parks where id in ($1, $2)', [park, never]),
  ).toEqual([]);
  expect(await removed(park)).toEqual({
    reason: 'closed',
    merged_into: null,
    park: {
      names: { en: 'Cedar Yard' },
      lat: expect.any(Number) as number,
      long: expect.any(Number) as number,
    },
  });
  // Nothing can be read about a place that was not a dog park.
  expect(await removed(never)).toEqual({ reason: 'notDogPark', merged_into: null, park: null });
  expect(await reviews()).toEqual([{ title: 'It was good', author_name: 'Ann' }]);
  expect(await errorCode(rate(ann, park, 1))).toBe('park_not_found');
  // The author can still delete the review.
  const [mine] = await ann.rows('select id from my_reviews() where park_id = $1', [park]);
  await ann.call('delete_review', { p_review_id: mine?.['id'] });
  expect(await reviews()).toEqual([]);
});
