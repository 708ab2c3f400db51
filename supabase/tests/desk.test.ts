// Tests the desk: access, one queue, two moderators, decisions and undoing them, sanctions, and the tamper-proof log.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  addDog,
  createFixtures,
  errorCode,
  type Caller,
  type TestUser,
  claim,
  decide,
  contributePhoto,
  inHours,
  inviteTo,
  probeRpcs,
  sanction,
  saveReview,
  submitPark,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

async function reportedReview(author: TestUser, reporter: TestUser, anonymous = false) {
  const park = await fixtures.park();
  const { id } = await saveReview(author, park, {
    p_title: 'Bad',
    p_content: 'Words',
    p_rank: 1,
    p_anonymous: anonymous,
  });
  await fixtures.publishRanks();
  await reporter.call('report_review', { p_review_id: id, p_reason: 'spam' });
  return { id, park };
}
const merge = async (who: Caller, moderator: Caller, from: number, into: number) =>
  decide(
    moderator,
    'merge',
    await who.call('suggest_park_details', {
      p_park_id: from,
      p_claim: 'duplicate',
      p_duplicate_of: into,
    }),
  );
const annAndTwo = async () => ({
  ann: await fixtures.user('Ann'),
  one: await fixtures.moderator('One'),
  other: await fixtures.moderator('Other'),
});
const notificationsOf = (user: TestUser) =>
  user.rows`select type, title, app_message, sender_id from notifications order by created_at desc limit 1`;
const isBanned = (user: TestUser) =>
  admin.value`select coalesce(banned_until > now(), false) from auth.users where id = ${user.id}`;

test('a stranger, a user, and a moderator without the second factor or suspended have no access', async () => {
  const user = await fixtures.user('User');
  const moderator = await fixtures.moderator('Moderator');
  const rogue = await fixtures.moderator('Rogue');
  await submitPark(user);
  const withoutFactor = await fixtures.user('No factor');
  await admin.rows`insert into user_roles (user_id, role) values (${withoutFactor.id}, 'administrator')`;
  const passwordOnly = fixtures.withPasswordOnly(moderator);
  await sanction(service, 'user', rogue.id, 'limit');
  for (const who of [fixtures.anonymous, user, withoutFactor, passwordOnly, rogue]) {
    expect(await probeRpcs(admin, who, 'desk_')).toEqual(['42501']);
    expect(
      await who.rows(`select from storage.objects where bucket_id = 'pending-photos'`),
    ).toEqual([]);
  }
  for (const who of [user, withoutFactor, rogue]) expect(await who.call('my_role')).toBeNull();
  expect(await moderator.call('my_role')).toBe('moderator');
  expect((await moderator.rows('select * from desk_queue()')).length).toBeGreaterThan(0);
});

test('a second factor added after the role opens the desk only with the code, once and within a week', async () => {
  const { id } = await fixtures.user('New');
  const claims = {
    role: 'authenticated',
    sub: id,
    aud: 'authenticated',
    aal: 'aal2',
  } as const;
  const enter = (code: unknown) =>
    fixtures.database.asCaller(claims, (client) =>
      client
        .query('select open_desk($1) as role', [code])
        .then(({ rows }) => (rows as { role: unknown }[])[0]?.role),
    );
  const give = () => service.call('desk_set_role', { p_user_id: id, p_role: 'moderator' });
  const addFactor = () =>
    admin.rows`insert into auth.mfa_factors (user_id, factor_type, status) values (${id}, 'totp', 'verified')`;
  const first = await give();
  expect(await enter(first)).toBeNull();
  await addFactor();
  const second = await give();
  for (const wrong of [null, '', first, '00000-00000-00000-00000'])
    expect(await enter(wrong)).toBeNull();
  expect(await enter(` ${String(second).toLowerCase().replaceAll('-', '')}`)).toBe('moderator');
  expect(await give()).toBe('');
  await admin.rows('delete from auth.mfa_factors where user_id = $1', [id]);
  await addFactor();
  expect(await enter(second)).toBeNull();
  const late = await give();
  await admin.rows`update user_roles set granted_at = now() - interval '8 days' where user_id = ${id}`;
  expect(await enter(late)).toBeNull();
});

test('only an operator grants roles, an administrator those of towns; only an administrator reads the audit log and the numbers', async () => {
  const moderator = await fixtures.moderator('Mo');
  const administrator = await fixtures.moderator('Ada', {
    role: 'administrator',
  });
  const user = await fixtures.user('User');
  const give = (who: Caller, id: string, role: string | null) =>
    who.call('desk_set_role', { p_user_id: id, p_role: role });
  for (const call of ['desk_members', 'desk_audit_log', 'desk_numbers'])
    expect(await errorCode(moderator.call(call))).toBe('42501');
  expect(await errorCode(give(moderator, moderator.id, 'administrator'))).toBe('42501');
  const name = (who: Caller, id: string) =>
    who.call('desk_set_role', {
      p_user_id: id,
      p_role: 'town',
      p_town: 'Lod',
      p_area: '((34,31),(36,31),(36,33))',
    });
  expect(await errorCode(name(administrator, user.id))).toBe('reauthentication_needed');
  const fresh = await fixtures.moderator('Eve', {
    role: 'administrator',
    fresh: true,
  });
  expect(await errorCode(give(fresh, user.id, 'moderator'))).toBe('42501');
  for (const { id } of [fresh, moderator]) {
    expect(await errorCode(name(fresh, id))).toBe('42501');
    expect(await errorCode(give(fresh, id, null))).toBe('42501');
  }
  expect(await name(fresh, user.id)).toMatch(/^([0-9A-F]{5}-){3}[0-9A-F]{5}$/);
  expect(await fresh.rows('select actor, act, user_name from desk_audit_log() limit 1')).toEqual([
    { actor: 'Eve', act: 'set_role', user_name: 'User' },
  ]);
  expect(await give(fresh, user.id, null)).toBe('');
  expect(await give(service, user.id, 'moderator')).toMatch(/^([0-9A-F]{5}-){3}[0-9A-F]{5}$/);
  expect(await user.rows('select role from user_roles')).toEqual([{ role: 'moderator' }]);
  expect(await give(service, user.id, null)).toBe('');
  expect(await user.rows('select role from user_roles')).toEqual([]);
  const before = (await administrator.call('desk_numbers')) as {
    reports: number;
  };
  expect(before).toMatchObject({ visits: 0 });
  const park = await fixtures.park();
  const photo = await contributePhoto(service, park, 'parks');
  await user.call('report_photo', { p_path: photo, p_reason: 'spam' });
  await user.call('report_user', { p_user_id: moderator.id, p_reason: 'fake' });
  await reportedReview(moderator, user);
  await fixtures.admin.rows`with made as (
      insert into private.pack_times (host_id, park_id, weekday, starts) values (${moderator.id}, ${park}, 2, '18:00') returning id)
    insert into private.pack_time_reports (pack_time_id, reporter, reason) select id, ${user.id}, 'spam' from made`;
  expect(await administrator.call('desk_numbers')).toMatchObject({
    reports: before.reports + 4,
  });
  // Removes the user's items, because later tests count the waiting items.
  await service.call('delete_user_data', { p_user_id: user.id });
});

test('the counts show how many items of each type wait, up to 100, and how many other moderators have open', async () => {
  const ann = await fixtures.user('Ann');
  const mo = await fixtures.moderator('Mo');
  const other = await fixtures.moderator('Other');
  const countsOf = async (who: Caller) =>
    await who.rows<{ type: string; waiting: number; others: number }>(
      'select type, waiting, others from desk_counts()',
    );
  const ofParks = async (who: Caller) => (await countsOf(who)).find(({ type }) => type === 'park');
  const before = (await ofParks(mo))?.waiting ?? 0;
  const park = await submitPark(ann);
  await claim(mo, 'park', park);
  expect(await ofParks(mo)).toMatchObject({ waiting: before + 1, others: 0 });
  expect(await ofParks(other)).toMatchObject({
    waiting: before + 1,
    others: 1,
  });
  await ann.call('report_user', { p_user_id: mo.id, p_reason: 'fake' });
  const everything =
    await admin.rows`select type, count(*)::int as waiting from private.waiting_items()
     where not (type = 'user' and id = ${mo.id}) group by type order by min(since), type`;
  expect((await countsOf(mo)).map(({ type, waiting }) => ({ type, waiting }))).toEqual(everything);
  await admin.rows`insert into public.parks (lat, long, status) select 31, 35, 'pending' from generate_series(1, 120)`;
  expect(await ofParks(mo)).toMatchObject({ waiting: 100 });
  expect(await mo.rows(`select from desk_queue(array['park'])`)).toHaveLength(100);
  await admin.rows(`delete from public.parks where lat = 31 and status = 'pending'`);
  // Removes Ann and her reports, because later tests count the waiting items.
  await service.call('delete_user_data', { p_user_id: ann.id });
});

test('the queue has every type, oldest first, and marks items that wait for more than a day', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const moderator = await fixtures.moderator('Mo');
  const park = await fixtures.park('Known');
  const submitted = await submitPark(ann);
  const correction = await ann.call('suggest_park_details', {
    p_park_id: park,
    p_shade: 3,
  });
  const photo = await contributePhoto(ann, park);
  const { id: review } = await reportedReview(ann, bob);
  await bob.call('report_user', {
    p_user_id: ann.id,
    p_reason: 'fake',
    p_note: 'a bot',
  });
  await admin.rows`update park_suggestions set created_at = now() - interval '25 hours' where id = ${correction}`;
  const mine = [String(submitted), String(correction), photo, review, ann.id];
  const queue =
    await moderator.rows`select type, id, overdue, urgent from desk_queue() where id = any (${mine})`;
  expect(queue).toEqual([
    {
      type: 'correction',
      id: String(correction),
      overdue: true,
      urgent: false,
    },
    { type: 'park', id: String(submitted), overdue: false, urgent: false },
    { type: 'photo', id: photo, overdue: false, urgent: false },
    { type: 'review', id: review, overdue: false, urgent: false },
    { type: 'user', id: ann.id, overdue: false, urgent: true },
  ]);
  const open = (type: string, id: unknown) => claim(moderator, type, id);
  expect(await open('correction', correction)).toMatchObject({
    before: { shade: null },
    after: { shade: 3 },
    contributor: { approved: 0, rejected: 0 },
  });
  expect(await open('user', ann.id)).toMatchObject({
    reports: [{ reason: 'fake', note: 'a bot' }],
  });
  expect(await open('review', review)).toMatchObject({
    user: { id: ann.id },
    review: { rank: 1 },
  });
  // The desk does not show who contributed a park, a correction or a photo.
  for (const [type, id] of [
    ['park', String(submitted)],
    ['correction', correction],
    ['photo', photo],
  ] as const)
    expect(JSON.stringify(await open(type, id))).not.toContain(ann.id);
});

test('several reports of the same thing are one item, which waits since the first open report', async () => {
  const [ann, bob, cat] = await fixtures.users('Ann', 'Bob', 'Cat');
  const moderator = await fixtures.moderator('Mo');
  const { id: review, park } = await reportedReview(ann, bob);
  const photo = await contributePhoto(service, park, 'parks');
  await cat.call('report_review', { p_review_id: review, p_reason: 'fake' });
  for (const who of [bob, cat]) {
    await who.call('report_user', { p_user_id: ann.id, p_reason: 'fake' });
    await who.call('report_photo', { p_path: photo, p_reason: 'spam' });
  }
  const reports = ['review_reports', 'user_reports', 'photo_reports'];
  for (const table of reports)
    await admin.rows(
      `update private.${table} set created_at = '2026-01-02T03:04:05Z' where reporter = $1`,
      [cat.id],
    );
  const waiting = () =>
    moderator.rows(
      `select type, since = '2026-01-02T03:04:05Z' as hers from desk_queue() where id = any ($1) order by type`,
      [[review, photo, ann.id]],
    );
  const each = (hers: boolean) =>
    ['photo_report', 'review', 'user'].map((type) => ({ type, hers }));
  expect(await waiting()).toEqual(each(true));
  const resolve = async (reporter: TestUser) => {
    for (const table of reports)
      await admin.rows(`update private.${table} set resolved_at = now() where reporter = $1`, [
        reporter.id,
      ]);
  };
  await resolve(cat);
  expect(await waiting()).toEqual(each(false));
  await resolve(bob);
  expect(await waiting()).toEqual([]);
});

test('a photo waits since its upload; that time is deleted once it is decided', async () => {
  const [ann, moderator] = [await fixtures.user('Ann'), await fixtures.moderator('Mo')];
  const photo = await contributePhoto(ann, await fixtures.park());
  const waits = () =>
    admin.rows(
      `select w.since = o.created_at as since from private.waiting_photos w join storage.objects o on o.name = w.path where w.path = $1`,
      [photo],
    );
  expect(await waits()).toEqual([{ since: true }]);
  const decision = await decide(moderator, 'photo', photo, 'spam');
  expect(await waits()).toEqual([]);
  await moderator.call('desk_undo', { p_decision_id: decision });
  expect(await waits()).toEqual([{ since: true }]);
});

test('two moderators never work on the same item, even with concurrent calls', async () => {
  const contributor = await fixtures.user('Contributor');
  const ids = new Set<string>();
  for (let index = 0; index < 6; index += 1) ids.add(String(await submitPark(contributor)));
  const moderators = await Promise.all(
    Array.from({ length: 6 }, (_, index) => fixtures.moderator(`M${index}`)),
  );
  const claimed = (await Promise.all(
    moderators.map((one) => one.call('desk_next', { p_types: ['park'] })),
  )) as { id: string }[];
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(6);
  const [[first, second], [item]] = [
    moderators as [TestUser, TestUser],
    claimed as [{ id: string }],
  ];
  expect(await errorCode(decide(second, 'park', item.id))).toBe('claimed_by_other');
  expect(await errorCode(claim(second, 'park', item.id))).toBe('claimed_by_other');
  // A claim expires after ten minutes, so another moderator can decide the item.
  await admin.rows`update private.desk_claims set expires_at = now() where id = ${item.id}`;
  await decide(second, 'park', item.id);
  expect(await errorCode(decide(first, 'park', item.id))).toBe('already_decided');
});

test.each([
  ['en', 'Your park was not added', '\u2068New corner\u2069: this park is already on the map.'],
  ['he', 'הגינה שלכם לא נוספה', '\u2068New corner\u2069: הגינה כבר על המפה.'],
  ['ar', 'لم تُضف حديقتكم', '\u2068New corner\u2069: هذه الحديقة موجودة على الخريطة.'],
])(
  'the contributor is notified of the reason in their language, but not of the moderator: %s',
  async (language, title, message) => {
    const contributor = await fixtures.user('Contributor', { language });
    const moderator = await fixtures.moderator('Mo');
    const id = String(await submitPark(contributor));
    const withoutReason = { p_type: 'park', p_id: id, p_approve: false };
    expect(await errorCode(moderator.call('desk_decide', withoutReason))).toBe('reason_required');
    expect(await errorCode(decide(moderator, 'park', id, 'poor_photo'))).toBe('reason_required');
    await decide(moderator, 'park', id, 'duplicate');
    expect(await notificationsOf(contributor)).toEqual([
      { type: 'deskDecision', title, app_message: message, sender_id: null },
    ]);
  },
);

test('reporters are notified of the outcome, but learn nothing about the reported user', async () => {
  const ann = await fixtures.user('Ann');
  const bob = await fixtures.user('Bob', { language: 'ar' });
  const moderator = await fixtures.moderator('Mo');
  const { id: left } = await reportedReview(ann, bob);
  const { id: hidden } = await reportedReview(ann, bob, true);
  await decide(service, 'review', left);
  expect(await notificationsOf(bob)).toMatchObject([
    {
      title: 'نظرنا في بلاغكم',
      app_message: 'يبقى تقييم \u2068Test park\u2069: إنه لا يخالف قواعدنا.',
    },
  ]);
  await decide(service, 'review', hidden, 'spam');
  expect(await notificationsOf(bob)).toMatchObject([
    { app_message: 'شكرًا! أُخفي تقييم \u2068Test park\u2069.', sender_id: null },
  ]);
  // The reporter always gets the same message, so that it does not reveal the decision about the user.
  const heard = [];
  for (const act of [
    () => decide(service, 'user', ann.id),
    () => sanction(moderator, 'user', ann.id, 'ban'),
  ]) {
    await bob.call('report_user', { p_user_id: ann.id, p_reason: 'spam' });
    await act();
    heard.push(
      await bob.rows`select title, app_message, data from notifications order by created_at desc limit 1`,
    );
  }
  expect(heard[0]).toEqual(heard[1]);
  expect(heard[0]).toMatchObject([{ data: { type: 'reported_user' } }]);
  expect(JSON.stringify(heard)).not.toContain('Ann');
  expect(JSON.stringify(heard)).not.toContain(ann.id);
  expect(
    await bob.value(`select count(*)::int from notifications where type = 'deskDecision'`),
  ).toBe(4);
});

test('decisions within a quarter of an hour are one mail, in the current language, and not for users who turned it off', async () => {
  const contributor = await fixtures.user('Contributor', { language: 'he' });
  const silent = await fixtures.user('Silent');
  const moderator = await fixtures.moderator('Mo');
  const jobs = (user: TestUser) =>
    admin.rows<{ due: boolean; payload: { decided_since: string } }>(
      `select due_at > now() + interval '10 minutes' as due, due_at, payload from private.jobs where type = 'desk-mail' and user_id = $1`,
      [user.id],
    );
  const decided = async (user: TestUser, approve: boolean) => {
    const id = String(await submitPark(user));
    return decide(moderator, 'park', id, approve ? null : 'duplicate');
  };
  await decided(contributor, false);
  const [first] = await jobs(contributor);
  expect(first?.due).toBe(true);
  const mail = async () =>
    admin.rows<{ subject: string; lines: string[]; language: string }>(
      'select language, subject, lines from private.desk_mail($1, null, null, $2)',
      [contributor.id, first?.payload.decided_since],
    );
  const switchOff =
    'המייל הזה נשלח כי ״החלטות על מה שהוספתי״ פועל בהגדרות ההתראות; אפשר לכבות את זה שם.';
  expect(await mail()).toEqual([
    {
      language: 'he',
      subject: 'הגינה שלכם לא נוספה',
      lines: ['\u2068New corner\u2069: הגינה כבר על המפה.', switchOff],
    },
  ]);
  const approved = await decided(contributor, true);
  expect(await jobs(contributor)).toEqual([first]);
  await contributor.rows(`update users set language = 'en' where id = $1`, [contributor.id]);
  expect((await mail())[0]).toMatchObject({
    language: 'en',
    subject: 'News about what you added and reported',
    lines: [
      'Your park was not added. \u2068New corner\u2069: this park is already on the map.',
      'Your park is on the map. Thank you! Everyone can find \u2068New corner\u2069 now.',
      expect.stringContaining('switch it off') as string,
    ],
  });
  // A decision that was undone before the mail was sent is neither in the list nor in the mail.
  await moderator.call('desk_undo', { p_decision_id: approved });
  expect((await mail())[0]?.lines).toHaveLength(2);
  expect(await notificationsOf(contributor)).toMatchObject([
    { app_message: '\u2068New corner\u2069: this park is already on the map.' },
  ]);
  await silent.rows('insert into notifications_preferences (desk_decision) values (false)');
  await decided(silent, true);
  expect([await jobs(silent), await notificationsOf(silent)]).toEqual([[], []]);
});

test('undoing restores what the decision changed, and keeps later changes', async () => {
  const [contributor, moderator] = [
    await fixtures.user('Contributor'),
    await fixtures.moderator('Mo'),
  ];
  const park = await fixtures.park();
  await admin.rows('update parks set shade = 1, size = 500 where id = $1', [park]);
  const correction = await contributor.call('suggest_park_details', {
    p_park_id: park,
    p_shade: 3,
    p_size: 900,
  });
  const decision = await decide(moderator, 'correction', correction);
  const details = () =>
    admin.rows`select shade::float, size::float, has_facilities from parks where id = ${park}`;
  expect(await details()).toEqual([{ shade: 3, size: 900, has_facilities: null }]);
  await admin.rows`update parks set size = 1000, has_facilities = true where id = ${park}`;
  expect(await moderator.call('desk_undo', { p_decision_id: decision })).toBe(true);
  expect(await details()).toEqual([{ shade: 1, size: 1000, has_facilities: true }]);
  // The item waits again and is claimed by the moderator who undid the decision.
  expect(
    await moderator.rows('select claimed from desk_queue() where id = $1', [correction]),
  ).toEqual([{ claimed: 'mine' }]);
  expect(await moderator.call('desk_undo', { p_decision_id: decision })).toBe(false);
});

test('undoing a merge restores everything that moved; a hazard is reviewed immediately', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const moderator = await fixtures.moderator('Mo');
  const [from, into] = [await fixtures.park('Duplicate'), await fixtures.park('Kept')];
  await fixtures.visited(from, [ann, bob]);
  const rate = (who: TestUser, p_park_id: number, p_rank: number) =>
    saveReview(who, p_park_id, { p_rank });
  // Ann reviewed both parks, so the merge replaces one of her reviews.
  for (const park of [into, from]) await rate(ann, park, 2);
  await rate(bob, from, 5);
  // A restored review keeps the trust level that its author had when it was written.
  await admin.rows`update reviews set trust_level = 'regular_there' where author = ${ann.id}`;
  await bob.rows('insert into favourite_parks (park_id) values ($1)', [from]);
  await fixtures.befriend(ann, bob);
  await inviteTo(from, ann, [bob]);
  await ann.call('check_in', { p_park_id: from });
  await fixtures.busyLastWeek([
    [from, 9, 10],
    [from, 10, 10],
    [into, 9, 10],
  ]);
  const state = () =>
    admin.rows`select p.id, p.status, g.ranks,
         (select count(*)::int from check_ins c where c.park_id = p.id and c.ended_at is null) as users_now,
         (select e.is_present or e.has_stayed from private.evidence_at(${bob.id}, p.id) e) as bob_was_there,
         (select count(*)::int from favourite_parks f where f.park_id = p.id) as favourites,
         (select count(*)::int from park_invites i where i.park_id = p.id) as meetings,
         (select array_agg(u.hour order by u.hour) from private.usual_hours(array[p.id]) u where u.samples = 1) as hours,
         (select array_agg(r.rank order by r.rank) from reviews r where r.park_id = p.id) as reviews,
         (select array_agg(r.trust_level::text order by r.rank) from reviews r where r.park_id = p.id) as levels
       from parks p left join private.park_ratings g on g.park_id = p.id where p.id in (${from}, ${into}) order by p.id`;
  const before = await state();
  expect(before).toMatchObject([
    { users_now: 1, bob_was_there: true, hours: [9, 10] },
    { users_now: 0, bob_was_there: false, hours: [9] },
  ]);
  const decision = await merge(bob, moderator, from, into);
  expect(await state()).toMatchObject([
    { status: 'rejected', users_now: 0, meetings: 0, hours: null },
    {
      users_now: 1,
      bob_was_there: true,
      favourites: 1,
      meetings: 1,
      hours: [9, 10],
      reviews: [2, 5],
    },
  ]);
  await moderator.call('desk_undo', { p_decision_id: decision });
  expect(await state()).toEqual(before);
  expect(await fixtures.anonymous.value('select public.removed_park($1)', [from])).toBeNull();
  await fixtures.visited(into, [bob]);
  const hazard = await bob.call('report_hazard', {
    p_park_id: into,
    p_hazard: 'glass',
  });
  const waits = () => moderator.rows('select urgent from desk_queue() where id = $1', [hazard]);
  expect(await waits()).toEqual([{ urgent: true }]);
  await decide(moderator, 'hazard', hazard);
  expect(await waits()).toEqual([]);
});

test('after undoing the first of two merges, visits and hours count once, at the park that is listed again', async () => {
  const [ann, moderator] = [await fixtures.user('Ann'), await fixtures.moderator('Mo')];
  const first = await fixtures.park('First');
  const second = await fixtures.park('Second');
  const third = await fixtures.park('Third');
  for (const park of [first, second]) await fixtures.visited(park, [ann]);
  await fixtures.busyLastWeek([
    [first, 9, 10],
    [second, 10, 10],
  ]);
  await ann.rows('insert into favourite_parks (park_id) values ($1)', [first]);
  const decision = await merge(ann, moderator, first, second);
  await merge(ann, moderator, second, third);
  await moderator.call('desk_undo', { p_decision_id: decision });
  expect(
    await admin.rows(
      `select p.id, (select array_agg(u.hour order by u.hour) from private.usual_hours(array[p.id]) u where u.samples = 1) as hours,
         (select e.is_present or e.has_stayed from private.evidence_at($4, p.id) e) as was_there, exists (select from favourite_parks f where f.park_id = p.id) as favourite
       from parks p where p.id in ($1, $2, $3) order by p.id`,
      [first, second, third, ann.id],
    ),
  ).toEqual([
    { id: String(first), hours: [9], was_there: true, favourite: false },
    { id: String(second), hours: null, was_there: true, favourite: false },
    // Reviews and favourites stay with the second park.
    { id: String(third), hours: [10], was_there: true, favourite: true },
  ]);
  // The first park's URL works again; the second still redirects to the third.
  const removed = (park: number) =>
    fixtures.anonymous.value('select public.removed_park($1)', [park]);
  expect(await removed(first)).toBeNull();
  expect(await removed(second)).toMatchObject({ merged_into: third });
});

test('the moves of a merge are stored for 30 days, and without users whose account was deleted', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const moderator = await fixtures.moderator('Mo');
  const [from, into] = [await fixtures.park('Duplicate'), await fixtures.park('Kept')];
  for (const user of [ann, bob])
    await user.rows('insert into favourite_parks (park_id) values ($1)', [from]);
  const decision = await merge(ann, moderator, from, into);
  const moved = () =>
    admin.rows`select relation, moved from private.desk_moves where decision_id = ${decision}`;
  expect(await moved()).toEqual([
    {
      relation: 'public.favourite_parks',
      moved: expect.arrayContaining([ann.id, bob.id]) as string[],
    },
  ]);
  await service.call('delete_user_data', { p_user_id: bob.id });
  expect(await moved()).toEqual([{ relation: 'public.favourite_parks', moved: [ann.id] }]);
  await admin.rows`update private.desk_decisions set decided_at = now() - interval '31 days' where id = ${decision}`;
  await admin.rows('select private.reduce_history()');
  expect(await moved()).toEqual([]);
});

test('nothing can be undone after 30 days, and deleting an account deletes its copies', async () => {
  const [ann, bob, cat] = await fixtures.users('Ann', 'Bob', 'Cat');
  const moderator = await fixtures.moderator('Mo');
  const copies = (decision: unknown) =>
    admin.value`select count(*)::int from private.desk_changes where decision_id = ${decision}`;
  const hide = async (author: TestUser) => {
    const { id } = await reportedReview(author, bob);
    return decide(moderator, 'review', id, 'spam');
  };
  const [old, hers] = [await hide(cat), await hide(ann)];
  await admin.rows`update private.desk_decisions set decided_at = now() - interval '31 days' where id = ${old}`;
  expect(await moderator.call('desk_undo', { p_decision_id: old })).toBe(false);
  expect(
    await moderator.rows`select can_be_undone from desk_decisions() where id in (${old}, ${hers}) order by 1`,
  ).toEqual([{ can_be_undone: false }, { can_be_undone: true }]);
  expect([await copies(old), await copies(hers)]).toEqual([2, 2]);
  await admin.rows('select private.reduce_history()');
  await service.call('delete_user_data', { p_user_id: ann.id });
  // Bob's report remains, and Ann's data is deleted.
  expect([await copies(old), await copies(hers)]).toEqual([0, 1]);
  expect(
    await admin.value`select count(*)::int from private.desk_changes c where c::text like '%' || ${ann.id} || '%'`,
  ).toBe(0);
});

test('a warning, a pause, a suspension and a ban are enforced by the database', async () => {
  const [ann, moderator] = [await fixtures.user('Ann'), await fixtures.moderator('Mo')];
  const park = await fixtures.park();
  await sanction(moderator, 'user', ann.id, 'warn');
  expect(await notificationsOf(ann)).toMatchObject([
    {
      type: 'sanction',
      title: 'A warning',
      app_message: 'A moderator warns you: it bothers other people.',
    },
  ]);
  await submitPark(ann);
  const limit = await sanction(moderator, 'user', ann.id, 'limit', inHours(24));
  expect(await errorCode(submitPark(ann))).toBe('limited');
  expect(
    await errorCode(ann.call('report_condition', { p_park_id: park, p_condition: 'muddy' })),
  ).toBe('limited');
  expect(await errorCode(ann.call('send_friend_request', { p_user_id: moderator.id }))).toBe(
    'limited',
  );
  expect(
    await errorCode(
      ann.rows(`insert into storage.objects (bucket_id, name) values ('pending-photos', $1)`, [
        `${park}/other/photo-00000000-0000-4000-8000-000000000002.webp`,
      ]),
    ),
  ).toBe('42501');
  await ann.call('check_in', { p_park_id: park });
  await moderator.call('desk_undo', { p_decision_id: limit });
  await submitPark(ann);
  expect(await isBanned(ann)).toBe(false);
  expect(await errorCode(sanction(moderator, 'user', ann.id, 'suspend'))).toBe('invalid_input');
  await sanction(moderator, 'user', ann.id, 'suspend', inHours(24));
  expect(await isBanned(ann)).toBe(true);
  // A suspended user cannot post, even with an access token that is still valid.
  expect(await errorCode(submitPark(ann))).toBe('42501');
  const ban = await sanction(moderator, 'user', ann.id, 'ban');
  await moderator.call('desk_undo', { p_decision_id: ban });
  expect(await isBanned(ann)).toBe(true);
  expect(await service.call('desk_revoke_sanctions', { p_user_id: ann.id })).toBe(1);
  expect(await isBanned(ann)).toBe(false);
  await submitPark(ann);
});

test('moderators cannot sanction moderators or themselves; administrators can', async () => {
  const one = await fixtures.moderator('One');
  const other = await fixtures.moderator('Other');
  const administrator = await fixtures.moderator('Ada', {
    role: 'administrator',
  });
  for (const user of [one, other, administrator])
    expect(await errorCode(sanction(one, 'user', user.id, 'ban'))).toBe('42501');
  // If the author is unknown to the moderator and is a member of the desk, a ban becomes a warning. The result does not reveal
  // this.
  const park = await submitPark(administrator);
  const ban = await sanction(one, 'park', String(park), 'ban');
  expect(await administrator.call('my_role')).toBe('administrator');
  expect(await notificationsOf(administrator)).toMatchObject([{ title: 'A warning' }]);
  expect(await one.call('desk_undo', { p_decision_id: ban })).toBe(true);
  await sanction(administrator, 'user', other.id, 'ban');
  expect(await errorCode(other.call('desk_queue'))).toBe('42501');
});

test('moderators do not decide about their own contributions unless there is nobody else', async () => {
  const [moderator, other] = [await fixtures.moderator('Mo'), await fixtures.moderator('Other')];
  const park = await submitPark(moderator);
  const waits = (who: Caller) =>
    who.value`select count(*)::int from desk_queue() where id = ${String(park)}`;
  expect([await waits(moderator), await waits(other)]).toEqual([0, 1]);
  expect(await claim(moderator, 'park', park)).toBeNull();
  expect(await errorCode(decide(moderator, 'park', park))).toBe('42501');
  const others =
    await admin.rows`delete from user_roles where user_id <> ${moderator.id} returning *`;
  expect(await waits(moderator)).toBe(1);
  await admin.rows`insert into user_roles (user_id, role, factor_id)
       select user_id, role, factor_id from jsonb_populate_recordset(null::user_roles, ${JSON.stringify(others)})`;
  const rejected = await decide(other, 'park', park, 'spam');
  const hazard = await moderator.call('report_hazard', {
    p_park_id: await fixtures.park(),
    p_hazard: 'glass',
  });
  for (const decision of [rejected, await decide(other, 'hazard', hazard as string, 'spam')])
    expect(await errorCode(moderator.call('desk_undo', { p_decision_id: decision }))).toBe('42501');
  const relist = (who: Caller) =>
    who.call('desk_change_park', { p_park_id: park, p_change: 'relist' });
  expect(await errorCode(relist(moderator))).toBe('42501');
  await relist(other);
});

test('nobody decides about reports of themselves, reads or undoes them; only administrators decide about moderators', async () => {
  const user = await fixtures.user('User');
  const moderator = await fixtures.moderator('Mo');
  const other = await fixtures.moderator('Other');
  const administrator = await fixtures.moderator('Ada', {
    role: 'administrator',
  });
  await user.call('report_user', {
    p_user_id: moderator.id,
    p_reason: 'fake',
    p_note: 'Who else',
  });
  const { id: review } = await reportedReview(moderator, user, true);
  const mine = [moderator.id, review];
  const waiting = async (who: Caller) => {
    const ids = await who.column('select id from desk_queue()');
    return mine.filter((id) => ids.includes(id));
  };
  expect(await waiting(moderator)).toEqual([]);
  expect(await waiting(other)).toEqual([review]);
  expect(await waiting(administrator)).toEqual(mine);
  for (const who of [moderator, other]) expect(await claim(who, 'user', moderator.id)).toBeNull();
  const deskUser = (who: Caller) => who.call('desk_user', { p_user_id: moderator.id });
  expect(await deskUser(moderator)).toMatchObject({
    reports: [],
    may_act: false,
  });
  expect(await deskUser(administrator)).toMatchObject({
    reports: [{ note: 'Who else' }],
  });
  // No count may reveal the report to the reported moderator, neither in a search nor in the number of waiting items.
  const counted = (who: Caller) => who.value`select reports from desk_users(${moderator.id})`;
  expect([await counted(moderator), await counted(other), await counted(administrator)]).toEqual([
    0, 0, 1,
  ]);
  await submitPark(user);
  await admin.rows(`update user_roles set notified_at = now() - interval '1 day'`);
  await admin.rows('select private.notify_desk()');
  const numbers = [];
  for (const { id } of [moderator, other, administrator])
    numbers.push(
      await admin.value`select (data ->> 'waiting')::int from notifications where receiver_id = ${id} and type = 'deskWaiting'`,
      await admin.value`select (regexp_match(lines[1], '[0-9]+'))[1]::int from private.desk_mail(${id}, null, null)`,
    );
  const [least] = numbers as [number];
  expect(numbers).toEqual([least, least, least + 1, least + 1, least + 2, least + 2]);
  for (const who of [moderator, other])
    expect(await errorCode(decide(who, 'user', moderator.id))).toBe('42501');
  expect(await errorCode(decide(moderator, 'review', review))).toBe('42501');
  // Calls about items that were not reported fail with the same error, so that a moderator cannot find out which items were
  // reported.
  const { id: unreported } = await saveReview(other, await fixtures.park());
  for (const [type, id] of [
    ['user', other.id],
    ['user', administrator.id],
    ['review', unreported],
  ] as const)
    expect(await errorCode(decide(other, type, id))).toBe('42501');

  const hidden = await decide(other, 'review', review, 'spam');
  const cleared = await decide(administrator, 'user', moderator.id);
  // The history does not reveal the report, either.
  const history = async (who: Caller) => {
    const listed = await who.column('select id from desk_decisions()');
    const { history: lines } = (await deskUser(who)) as { history: unknown[] };
    return [listed.includes(String(hidden)), listed.includes(String(cleared)), lines.length];
  };
  expect([await history(moderator), await history(other), await history(administrator)]).toEqual([
    [false, false, 0],
    [true, false, 0],
    [true, true, 1],
  ]);
  const warning = await sanction(administrator, 'user', moderator.id, 'warn');
  const undo = (who: Caller, decision: unknown) =>
    who.call('desk_undo', { p_decision_id: decision });
  expect(await errorCode(undo(moderator, hidden))).toBe('42501');
  for (const who of [moderator, other]) expect(await errorCode(undo(who, warning))).toBe('42501');
  expect(await undo(other, hidden)).toBe(true);
  expect(await undo(administrator, warning)).toBe(true);
});

test('undoing a merge does not restore what users have removed since', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const moderator = await fixtures.moderator('Mo');
  await fixtures.befriend(ann, bob);
  const [from, into] = [await fixtures.park('Duplicate'), await fixtures.park('Kept')];
  const meetAt = inHours(1);
  for (const park of [from, into])
    await ann.call('invite_to_park', {
      p_park_id: park,
      p_friend_ids: [bob.id],
      p_meet_at: meetAt,
    });
  await bob.rows('insert into favourite_parks (park_id) values ($1)', [from]);
  await admin.rows`insert into private.unlicensed_contributions (park_id, field) values (${from}, 'shade')`;
  const { decision } = (await moderator.call('desk_change_park', {
    p_park_id: from,
    p_change: 'merge',
    p_into: into,
  })) as { decision: string };
  expect(await bob.rows('select park_id::int from park_invites')).toEqual([{ park_id: into }]);
  await bob.rows('delete from favourite_parks where park_id = $1', [into]);
  await ann.call('unfriend', { p_user_id: bob.id });
  await moderator.call('desk_undo', { p_decision_id: decision });
  for (const what of ['park_invites', 'favourite_parks', `notifications where type = 'parkInvite'`])
    expect(await bob.rows(`select * from ${what}`)).toEqual([]);
  // Undoing restores the record of unlicensed fields, which are excluded from open data.
  expect(
    await admin.value`select count(*)::int from private.unlicensed_contributions where park_id = ${from}`,
  ).toBe(1);
});

test('the author of an anonymous review stays unknown when they are sanctioned', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const moderator = await fixtures.moderator('Mo');
  // Both users get a sanction, so that their histories are not empty.
  for (const user of [ann, bob]) await sanction(moderator, 'user', user.id, 'warn');
  const { id } = await reportedReview(ann, bob, true);
  const item = await claim(moderator, 'review', id);
  expect(item).toMatchObject({ user: null, review: { anonymous: true } });
  expect(JSON.stringify(item)).not.toContain(ann.id);
  const administrator = await fixtures.moderator('Ada', {
    role: 'administrator',
  });
  /** Returns everything that moderators and administrators can read about users and decisions. */
  const seen = async () => {
    const user = (id: string) => administrator.call('desk_user', { p_user_id: id });
    return JSON.stringify([
      await user(ann.id),
      await user(bob.id),
      await administrator.rows`select * from desk_users('Ann') union all select * from desk_users('Bob')`,
      await administrator.rows`select id, type, item_id, decision from desk_decisions() order by id`,
      await administrator.rows('select user_id, role from user_roles'),
    ]);
  };
  const before = await seen();
  await sanction(moderator, 'review', id, 'suspend', inHours(24));
  expect(await isBanned(ann)).toBe(true);
  expect(await seen()).toBe(before);
  const [entry] =
    await administrator.rows`select act, item, details::text from desk_audit_log() where item like 'review:%'`;
  expect(entry).toMatchObject({ act: 'suspend', item: `review:${id}` });
  expect(entry?.details).not.toContain(ann.id);
  // The user sees the sanction in the mail and in the data export.
  expect(await fixtures.exportOf(ann.id)).toMatchObject({
    sanctions: [{ sanction: 'warn' }, { sanction: 'suspend' }],
  });
});

test('users are found by any part of the name, hidden ones too, by the whole email address and by the ID', async () => {
  const moderator = await fixtures.moderator('Mo');
  const [exact, begins] = await fixtures.users('Zorik', 'Zoriks Brother');
  const within = await fixtures.user('Amir Zorik', { hidden: true });
  const found = (text: string) => moderator.column('select id from desk_users($1)', [text]);
  expect(await found('ZORIK')).toEqual([exact.id, begins.id, within.id]);
  expect(await found('r zo')).toEqual([within.id]);
  // LIKE wildcards in the search text have no special meaning.
  expect(await found('z_rik')).toEqual([]);
  const email = await admin.value`select email from auth.users where id = ${begins.id}`;
  expect(await found(` ${String(email).toUpperCase()}`)).toEqual([begins.id]);
  await admin.rows`update auth.users set email = ${'özi@example.test'} where id = ${begins.id}`;
  expect(await found('o\u0308ZI@example.test')).toEqual([begins.id]);
  expect(await found('ÖZI@example.test')).toEqual([]);
  expect(await found(within.id)).toEqual([within.id]);
  // Searching for two letters works too.
  expect(await found('zo')).toEqual(expect.arrayContaining([exact.id, begins.id, within.id]));
});

test('the audit log has every action, and nobody can change it, whatever privileges they have', async () => {
  const ann = await fixtures.user('Ann');
  const moderator = await fixtures.moderator('Mo');
  const administrator = await fixtures.moderator('Ada', {
    role: 'administrator',
  });
  const id = String(await submitPark(ann));
  await decide(moderator, 'park', id);
  await sanction(moderator, 'user', ann.id, 'warn');
  const log = () =>
    administrator.rows('select actor, act, item, user_name from desk_audit_log() limit 2');
  expect(await log()).toMatchObject([
    { actor: 'Mo', act: 'warn', user_name: 'Ann' },
    { actor: 'Mo', act: 'approve', item: `park:${id}`, user_name: null },
  ]);
  for (const statement of [
    `update private.audit_log set act = 'nothing'`,
    'delete from private.audit_log',
    'truncate private.audit_log',
  ])
    for (const who of [administrator, service, admin])
      expect(await errorCode(who.rows(statement)), statement).toBe('42501');
  const broken = () => admin.value('select private.first_broken_audit_row()');
  expect(await broken()).toBeNull();
  // Deleting the moderator's account removes the name from the log; the entries stay.
  await service.call('delete_user_data', { p_user_id: moderator.id });
  expect(await log()).toMatchObject([
    { actor: null, act: 'warn' },
    { actor: null, act: 'approve' },
  ]);
  expect(
    await admin.value(
      `select count(*)::int from private.audit_log l where l::text like '%' || $1 || '%' or l::text like '%' || $2 || '%'`,
      [ann.id, moderator.id],
    ),
  ).toBe(0);
  // The database owner can disable the trigger, but the hash chain reveals the change.
  await admin.rows`
    alter table private.audit_log disable trigger reject_change;
    update private.audit_log set act = 'nothing' where id = (select max(id) - 1 from private.audit_log);
    alter table private.audit_log enable trigger reject_change`;
  expect(await broken()).toBe(await admin.value('select max(id) - 1 from private.audit_log'));
});

test('a decision about many items can be undone for each item; items that were decided in the meantime are skipped', async () => {
  const contributor = await fixtures.user('Contributor');
  const moderator = await fixtures.moderator('Mo');
  const administrator = await fixtures.moderator('Ada', {
    role: 'administrator',
  });
  const ids = [String(await submitPark(contributor)), String(await submitPark(contributor))];
  const decided = String(await submitPark(await fixtures.user('Other')));
  await decide(service, 'park', decided, 'duplicate');
  const many = { p_type: 'park', p_ids: [decided, ...ids], p_approve: true };
  expect(await moderator.call('desk_decide_many', many)).toBe(2);
  expect(await admin.value`select status from parks where id = ${decided}`).toBe('rejected');
  const decisions = await moderator.rows<{ id: string }>(
    'select id, item_id, decision, mine from desk_decisions() where item_id = any ($1) order by item_id',
    [ids],
  );
  expect(decisions).toMatchObject(
    ids.map((item_id) => ({ item_id, decision: 'approve', mine: true })),
  );
  expect(
    await administrator.rows(
      `select item, details ->> 'decision' as decision from desk_audit_log() where item = any ($1) order by item`,
      [ids.map((id) => `park:${id}`)],
    ),
  ).toEqual(
    ids.map((id, index) => ({
      item: `park:${id}`,
      decision: decisions[index]?.id,
    })),
  );
  const news = () => contributor.value('select count(*)::int from notifications');
  expect(await news()).toBe(2);
  expect(await moderator.call('desk_undo', { p_decision_id: decisions[1]?.id })).toBe(true);
  expect(
    await admin.rows`select status from parks where id = any (${ids}::bigint[]) order by id`,
  ).toEqual([{ status: 'approved' }, { status: 'pending' }]);
  expect(await news()).toBe(1);
});

test('after a decision about many reviews, each reporter is notified once per review', async () => {
  const [ann, bob, cat] = await fixtures.users('Ann', 'Bob', 'Cat');
  const moderator = await fixtures.moderator('Mo');
  const [one, two] = [await reportedReview(ann, bob), await reportedReview(ann, bob)];
  await cat.call('report_review', { p_review_id: two.id, p_reason: 'fake' });
  const hide = (p_ids: string[]) =>
    moderator.call('desk_decide_many', {
      p_type: 'review',
      p_ids,
      p_approve: false,
      p_reason: 'spam',
    });
  // If the moderator may not decide one of the items, none of them is decided.
  const own = await reportedReview(moderator, bob);
  expect(await errorCode(hide([one.id, own.id]))).toBe('42501');
  expect(await hide([one.id, two.id])).toBe(2);
  const parks = (user: TestUser) =>
    user.column`select (data ->> 'park_id')::int as park from notifications where data ->> 'type' = 'reported_review' order by park`;
  expect([await parks(bob), await parks(cat)]).toEqual([[one.park, two.park], [two.park]]);
  expect(
    await admin.value`select count(*)::int from reviews where id = any (${[one.id, two.id]}) and hidden_at is not null`,
  ).toBe(2);
});

test('a decision made while the mail is being sent is in the next mail, with the earlier ones', async () => {
  const contributor = await fixtures.user('Contributor');
  const approveNew = async () => decide(service, 'park', await submitPark(contributor));
  const job = async () =>
    (
      await admin.rows<{
        id: string;
        lease: string;
        due: boolean;
        payload: object;
      }>(
        `select id, lease, due_at <= now() as due, payload from private.jobs where type = 'desk-mail' and user_id = $1`,
        [contributor.id],
      )
    )[0];
  await approveNew();
  const queued = await job();
  await admin.rows(`update private.jobs set due_at = now() where id = $1`, [queued?.id]);
  await admin.rows(`select private.claim_jobs('desk-mail', 1000)`);
  await approveNew();
  const sent = await job();
  expect(sent).toMatchObject({ id: queued?.id, payload: queued?.payload });
  await admin.rows('select private.finish_job($1, $2)', [sent?.id, sent?.lease]);
  expect(await job()).toEqual({
    id: queued?.id,
    lease: null,
    due: true,
    payload: queued?.payload,
  });
});

/** Starts a transaction that has updated a row by its ID, so that other writers wait until `end`. */
const hold = (change: string, id: unknown) => fixtures.hold(`update ${change} where id = $1`, [id]);

test('decisions about different items do not wait for each other', async () => {
  const { ann, one, other } = await annAndTwo();
  const [held, free] = [await submitPark(ann), await submitPark(ann)];
  const approve = (who: Caller, id: unknown) => decide(who, 'park', String(id));
  const park = await hold('parks set size = 1', held);
  const slow = approve(one, held);
  await fixtures.waiting(1);
  expect(await approve(other, free)).toEqual(expect.any(String));
  await park.end();
  expect(await slow).toEqual(expect.any(String));
});

test('an item that is being decided cannot be opened by others, and one that is being opened cannot be decided', async () => {
  const { ann, one, other } = await annAndTwo();
  const [decided, opened] = [String(await submitPark(ann)), String(await submitPark(ann))];
  const approve = (id: string) => decide(one, 'park', id);
  const open = (id: string) => claim(other, 'park', id);
  const park = await hold('parks set size = 1', decided);
  const slow = approve(decided);
  await fixtures.waiting(1);
  const late = open(decided);
  await fixtures.waiting(2);
  await park.end();
  expect([await slow, await late]).toEqual([expect.any(String), null]);

  // A new claim waits while another transaction changes the expired one.
  await claim(one, 'park', opened);
  await admin.rows`update private.desk_claims set expires_at = now() where id = ${opened}`;
  const claimed = await hold('private.desk_claims set expires_at = now()', opened);
  const opening = open(opened);
  await fixtures.waiting(1);
  const refused = errorCode(approve(opened));
  await fixtures.waiting(2);
  await claimed.end();
  expect([await opening, await refused]).toMatchObject([{ id: opened }, 'claimed_by_other']);
});

test('items of a batch that can no longer be decided leave no trace', async () => {
  const [ann, moderator] = [await fixtures.user('Ann'), await fixtures.moderator('Mo')];
  const ids = [String(await submitPark(ann)), String(await submitPark(ann))];
  const all = { p_type: 'park', p_ids: null, p_approve: true };
  expect(await errorCode(moderator.call('desk_decide_many', all))).toBe('invalid_input');
  const park = await hold(`parks set status = 'rejected'`, ids[0]);
  const many = moderator.call('desk_decide_many', {
    p_type: 'park',
    p_ids: ids,
    p_approve: true,
  });
  await fixtures.waiting(1);
  await park.end();
  expect(await many).toBe(1);
  expect(
    await admin.rows`select item_id from private.desk_decisions where item_id = any (${ids})`,
  ).toEqual([{ item_id: ids[1] }]);
  expect(
    await admin.rows(`select item from private.audit_log where item = any ($1)`, [
      ids.map((id) => `park:${id}`),
    ]),
  ).toEqual([{ item: `park:${ids[1]}` }]);
  expect(await ann.value('select count(*)::int from notifications')).toBe(1);
});

test('undoing a sanction and imposing the next one do not deadlock', async () => {
  const { ann, one, other } = await annAndTwo();
  const suspension = await sanction(one, 'user', ann.id, 'suspend', inHours(24));
  await admin.rows('delete from private.desk_claims');
  const account = await hold('auth.users set email = email', ann.id);
  const undone = one.call('desk_undo', { p_decision_id: suspension });
  await fixtures.waiting(1);
  const refused = errorCode(sanction(other, 'user', ann.id, 'ban'));
  await fixtures.waiting(2);
  await account.end();
  // The moderator who undid the decision has claimed the item, so the second call fails.
  expect([await undone, await refused]).toEqual([true, 'claimed_by_other']);
});

test('two moderators who decide about the same parks in different order do not deadlock', async () => {
  const { ann, one, other } = await annAndTwo();
  const ids = [String(await submitPark(ann)), String(await submitPark(ann))];
  const before = await admin.value('select coalesce(max(id), 0) from private.audit_log');
  const approve = (who: Caller, p_ids: string[]) =>
    who.call('desk_decide_many', { p_type: 'park', p_ids, p_approve: true });
  const park = await hold('parks set size = 1', ids[0]);
  const both = [approve(one, ids)];
  await fixtures.waiting(1);
  both.push(approve(other, ids.toReversed()));
  await fixtures.waiting(2);
  await park.end();
  expect(await Promise.all(both)).toEqual([2, 0]);
  // Each row of the log contains the hash of the previous row.
  expect(
    await admin.rows`select l.act, l.is_right from (
         select o.id, o.act, o.hash = private.audit_hash(lag(o.hash) over (order by o.id), o) as is_right from private.audit_log o
       ) l where l.id > ${before}`,
  ).toEqual([
    { act: 'approve', is_right: true },
    { act: 'approve', is_right: true },
  ]);
});

test('moderators are notified immediately of hazards and of reported users and photos, of other items after hours, and once', async () => {
  await admin.rows('delete from public.user_roles');
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const moderator = await fixtures.moderator('Mo', { language: 'he' });
  // Resolves all earlier reports, so that only new items cause notifications.
  await admin.rows('update private.user_reports set resolved_at = now()');
  const tell = () => admin.value('select private.notify_desk()');
  await tell();
  await submitPark(ann);
  expect(await tell()).toBe(0);
  await admin.rows(`update user_roles set notified_at = now() - interval '20 minutes'`);
  expect(await tell()).toBe(0);
  const park = await fixtures.park();
  const photo = await contributePhoto(service, park, 'parks');
  const takeJobs = () =>
    admin.rows`delete from private.jobs where type = 'notify-desk' returning due_at <= now() as now`;
  await takeJobs();
  await bob.call('report_condition', { p_park_id: park, p_condition: 'muddy' });
  expect(await takeJobs()).toEqual([]);
  for (const [call, values] of [
    ['report_user', { p_user_id: ann.id, p_reason: 'spam' }],
    ['report_hazard', { p_park_id: park, p_hazard: 'glass' }],
    ['report_photo', { p_path: photo, p_reason: 'spam' }],
  ] as const) {
    await bob.call(call, values);
    expect(await takeJobs(), call).toEqual([{ now: true }]);
  }
  // Administrators are notified once a day that mails are delayed.
  const administrator = await fixtures.moderator('Adele', {
    role: 'administrator',
  });
  await admin.rows`insert into private.jobs (type, key, due_at, expires_at)
     values ('send-mail', 'late', now() - interval '1 hour', now() + interval '1 day')`;
  const failing = (user: TestUser) =>
    user.rows(`select title from notifications where type = 'mailsFail'`);
  for (let time = 0; time < 2; time += 1) await admin.rows('select private.notify_desk()');
  expect(await failing(administrator)).toEqual([{ title: 'Emails are not being sent' }]);
  expect(await failing(moderator)).toEqual([]);
  await service.call('desk_set_role', {
    p_user_id: administrator.id,
    p_role: null,
  });
  // Users without a role, or whose role has no effect now, get no notifications of the desk.
  const removed = await fixtures.moderator('Removed');
  await service.call('desk_set_role', { p_user_id: removed.id, p_role: null });
  const suspended = await fixtures.moderator('Suspended');
  await sanction(service, 'user', suspended.id, 'suspend', inHours(24));
  await admin.rows(`update user_roles set notified_at = now() - interval '1 day'`);
  expect([await tell(), await tell()]).toEqual([1, 0]);
  for (const { id } of [removed, suspended]) {
    expect(
      await admin.rows`select from notifications where receiver_id = ${id} and type = 'deskWaiting'`,
    ).toEqual([]);
    expect(await admin.rows('select from private.desk_mail($1, null, null)', [id])).toEqual([]);
  }
  expect(await notificationsOf(moderator)).toMatchObject([
    { type: 'deskWaiting', title: 'תור הניהול' },
  ]);
  const [taken] = await admin.rows<{ id: string; contact: string }>(
    'select id from private.sanctions where user_id = $1 and revoked_at is null',
    [suspended.id],
  );
  // Without a contact for appeals, the mail omits that line.
  for (const [contact, lines] of [
    [null, 1],
    ['desk@example.test', 2],
  ])
    expect(
      await admin.rows(
        `select cardinality(lines) as lines, array_position(lines, null) as missing from private.desk_mail($1, $2, $3)`,
        [suspended.id, taken?.id, contact],
      ),
    ).toEqual([{ lines, missing: null }]);
  expect(
    await admin.rows`select email, language, path from private.desk_mail(${moderator.id}, null, null)`,
  ).toEqual([{ email: `${moderator.id}@example.test`, language: 'he', path: '/desk' }]);
  // Only administrators are notified of a report about a moderator.
  await fixtures.moderator('Ada', { role: 'administrator' });
  await admin.rows`
    update private.user_reports set resolved_at = now();
    update private.photo_reports set resolved_at = now();
    update private.live_reports set ended_at = now() where ended_at is null;
    update user_roles set notified_at = now() - interval '20 minutes'`;
  expect(await tell()).toBe(0);
  await bob.call('report_user', { p_user_id: moderator.id, p_reason: 'spam' });
  expect([await tell(), await tell()]).toEqual([1, 0]);
  expect(await notificationsOf(moderator)).toMatchObject([{ title: 'תור הניהול' }]);
  // However many reports arrive, each moderator is notified at most once in 15 minutes.
  const opened = () => admin.rows('update user_roles set mails_unanswered = 0');
  await opened();
  await admin.rows(`update user_roles set notified_at = now() - interval '14 minutes'`);
  await ann.call('report_user', { p_user_id: bob.id, p_reason: 'spam' });
  expect(await tell()).toBe(0);
  await admin.rows(`update user_roles set notified_at = now() - interval '16 minutes'`);
  expect(await tell()).toBe(2);
});

test('until a moderator opens an item, each mail about urgent items doubles the time until the next, up to six hours', async () => {
  await admin.rows('delete from public.user_roles');
  const moderator = await fixtures.moderator('Mo');
  const [ann] = await fixtures.users('Ann');
  /** Returns the minutes after which a moderator is notified of a new urgent item. */
  const waits = async () => {
    await ann.call('report_user', {
      p_user_id: (await fixtures.user('Bob')).id,
      p_reason: 'spam',
    });
    for (const minutes of [16, 31, 61, 121, 241, 361]) {
      await admin.rows`update user_roles set notified_at = now() - make_interval(mins => ${minutes})`;
      if (Number(await admin.value('select private.notify_desk()')) > 0) return minutes;
    }
    return null;
  };
  const each: unknown[] = [];
  for (let time = 0; time < 8; time += 1) each.push(await waits());
  expect(each).toEqual([16, 31, 61, 121, 241, 361, 361, 361]);
  await moderator.call('desk_next');
  expect(await waits()).toBe(16);
});

test('a moderator cannot approve an item of any type that has changed since it was shown, but can reject it', async () => {
  const park = await fixtures.park();
  const [ann, bob, cat] = await fixtures.users('Ann', 'Bob', 'Cat');
  await fixtures.regulars([ann, bob, cat], park);
  const suggest = (about: number, more: object) =>
    ann.call('suggest_park_details', { p_park_id: about, ...more });
  const suggestion = async (more: (other: number) => object) => {
    const [about, other] = [await fixtures.park(), await fixtures.park()];
    const id = await suggest(about, more(other));
    const change = async () => decide(service, 'correction', await suggest(about, { p_shade: 7 }));
    return { id, change };
  };
  const uploadLost = (card: unknown) =>
    ann.rows(`insert into storage.objects (bucket_id, name) values ('lost-dogs', $1)`, [
      `${String(card)}/${randomUUID()}.webp`,
    ]);
  // For each type an item, and what its author or others can do while a moderator looks at it.
  const types: Record<string, () => Promise<{ id: unknown; change: () => Promise<unknown> }>> = {
    async park() {
      const id = await submitPark(ann);
      return { id, change: () => ann.rows('update parks set shade = 9 where id = $1', [id]) };
    },
    correction: () => suggestion(() => ({ p_shade: 3 })),
    merge: async () => {
      const [about, other] = [await fixtures.park(), await fixtures.park()];
      const id = await suggest(about, { p_claim: 'duplicate', p_duplicate_of: other });
      const rename = { en: { name: 'Another name' } };
      const change = async () =>
        decide(service, 'correction', await suggest(about, { p_translations: rename }));
      return { id, change };
    },
    async photo() {
      const id = await contributePhoto(ann, park);
      const change = async () => {
        await ann.rows(`delete from storage.objects where name = $1`, [id]);
        await ann.rows(
          `insert into storage.objects (bucket_id, name) values ('pending-photos', $1)`,
          [id],
        );
      };
      return { id, change };
    },
    async review() {
      const { id, park: at } = await reportedReview(ann, bob);
      return { id, change: () => saveReview(ann, at, { p_title: 'Worse', p_content: 'Words' }) };
    },
    async photo_report() {
      const id = await contributePhoto(service, park, 'parks');
      await bob.call('report_photo', { p_path: id, p_reason: 'spam' });
      return {
        id,
        change: () => cat.call('report_photo', { p_path: id, p_reason: 'inappropriate' }),
      };
    },
    async hazard() {
      const id = await ann.call('report_hazard', { p_park_id: park, p_hazard: 'glass' });
      return { id, change: () => bob.call('end_report', { p_report_id: id }) };
    },
    async pack_time() {
      const make = { p_park_id: park, p_weekday: 2, p_starts: '18:00' };
      const id = await ann.call('make_pack_time', make);
      await fixtures.befriend(ann, bob);
      await fixtures.befriend(ann, cat);
      await bob.call('report_pack_time', { p_pack_time_id: id, p_reason: 'spam' });
      return {
        id,
        change: () => cat.call('report_pack_time', { p_pack_time_id: id, p_reason: 'fake' }),
      };
    },
    async lost_dog() {
      const id = await ann.call('report_lost_dog', {
        p_dog_id: await addDog(ann),
        p_lat: 32.1,
        p_long: 34.8,
      });
      return { id, change: () => uploadLost(id) };
    },
    async user() {
      const { id } = await fixtures.user('Eve');
      await bob.call('report_user', { p_user_id: id, p_reason: 'fake' });
      return {
        id,
        change: () => cat.call('report_user', { p_user_id: id, p_reason: 'inappropriate' }),
      };
    },
  };
  const moderator = await fixtures.moderator('Mo');
  expect(Object.keys(types).toSorted()).toEqual(
    await admin.column('select type from private.desk_types order by type'),
  );
  for (const [type, create] of Object.entries(types)) {
    const { id, change } = await create();
    const shown = (await claim(moderator, type, id)) as { version: string };
    const approve = (version: string | null) =>
      moderator.call('desk_decide', {
        p_type: type,
        p_id: String(id),
        p_approve: true,
        p_version: version,
      });
    expect(await errorCode(approve(null)), type).toBe('item_changed');
    await change();
    expect(await errorCode(approve(shown.version)), type).toBe('item_changed');
    if (type === 'user') continue;
    const reason =
      await admin.value`select reasons[1] from private.desk_types where type = ${type}`;
    expect(await errorCode(decide(moderator, type, id, String(reason))), type).toBe('not refused');
  }
});
