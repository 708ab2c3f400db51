// Tests hazards: they are shown immediately and verified by another user there, notify users who are about to go, and cannot be
// verified by newcomers alone.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  claim,
  createFixtures,
  contributePhoto,
  errorCode,
  saveReview,
  type Caller,
  type TestUser,
  inviteTo,
  decide,
} from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, anonymous, service } = fixtures;

const report = (user: TestUser, park: number, hazard = 'poison') =>
  user.call('report_hazard', { p_park_id: park, p_hazard: hazard });
const confirm = (user: TestUser, id: unknown) => user.call('confirm_report', { p_report_id: id });
const clear = (user: TestUser, id: unknown) => user.call('end_report', { p_report_id: id });
const checkIn = (
  user: TestUser,
  park: number,
  place: object = { p_location: { lat: 32.1, long: 34.8 } },
) =>
  user.call('check_in', { p_park_id: park, p_switch: true, ...place }) as Promise<{
    check_in_id: string;
  }>;
const hazards = (park: number, who: Caller = anonymous) =>
  who.rows`select hazard, verified, confirmations, cleared_at is not null as cleared, city_informed_at is not null as informed, mine
     from park_hazards where park_id = ${park} order by 1`;
const live = (park: number) => anonymous.value`select live_counts() -> 'hazards' -> ${park}::text`;
/** Runs the notification job as a host does. */
const tell = () => admin.rows('select private.notify_of_hazards()');
const told = (user: TestUser) =>
  user.rows`select type, sender_id, title, app_message, data ->> 'hazard' as hazard from notifications where type = 'hazard'`;

const addPhoto = (user: TestUser, p_report_id: unknown, p_path: string) =>
  user.call('add_hazard_photo', { p_report_id, p_path });
/** Approves the photo and moves its file as storage does. */
const approvePhoto = (path: string) =>
  service.rows(`update storage.objects set bucket_id = 'parks' where name = $1`, [path]);

/**
 * Creates a park, a regular who is there, and two users who have it as a favourite. One of them has turned off these notifications.
 */
async function scene() {
  const park = await fixtures.park('Meir Park');
  const [ann, bob, fan, silent] = await fixtures.users('Ann', 'Bob', 'Fan', 'Silent');
  await fixtures.regulars([ann], park);
  await checkIn(ann, park);
  for (const user of [fan, silent])
    await user.rows('insert into favourite_parks (park_id) values ($1)', [park]);
  await silent.rows('insert into notifications_preferences (hazard) values (false)');
  return { park, ann, bob, fan, silent };
}

test('a hazard is shown immediately; a statement by another user there verifies it and notifies users with the park as a favourite, once', async () => {
  const { park, ann, bob, fan, silent } = await scene();
  const id = await report(ann, park);
  const shown = { hazard: 'poison', cleared: false, informed: false, mine: false };
  expect(await hazards(park)).toEqual([{ ...shown, verified: false, confirmations: 0 }]);
  expect(await live(park)).toEqual({ poison: false });
  // Bob is not at the park: his statement counts, but does not verify the hazard.
  await confirm(bob, id);
  await checkIn(bob, park);
  await tell();
  expect(await told(fan)).toEqual([]);
  expect(await confirm(bob, id)).toBe(true);
  expect(await hazards(park)).toEqual([{ ...shown, verified: true, confirmations: 1 }]);
  expect(await live(park)).toEqual({ poison: true });
  await tell();
  await confirm(bob, id);
  await tell();
  expect(await told(fan)).toEqual([
    {
      type: 'hazard',
      sender_id: null,
      title: 'Take care at the dog park',
      app_message: '\u2068Meir Park\u2069: poison bait reported',
      hazard: 'poison',
    },
  ]);
  expect(await told(silent)).toEqual([]);
  expect([...(await told(ann)), ...(await told(bob))]).toEqual([]);
});

test('both sides of a meeting there within three hours are notified, in their language', async () => {
  const { park, ann, bob } = await scene();
  const near = await fixtures.user('Near', { language: 'he' });
  const friend = await fixtures.user('Friend', { language: 'ar' });
  const [later, asked] = await fixtures.users('Later', 'Asked');
  for (const user of [friend, later, asked]) await fixtures.befriend(near, user);
  const invite = async (other: TestUser, hours: number, accept = true) => {
    const [id] = await inviteTo(park, near, [other], hours);
    if (accept) await other.call('respond_to_invite', { p_invite_id: id, p_accept: true });
  };
  await invite(friend, 2);
  await invite(later, 5);
  await invite(asked, 1, false);
  await checkIn(bob, park);
  await confirm(bob, await report(ann, park, 'glass'));
  await tell();
  expect((await told(near)).map(({ app_message }) => app_message)).toEqual([
    '\u2068Meir Park\u2069: דיווח על שברי זכוכית',
  ]);
  expect((await told(friend)).map(({ app_message }) => app_message)).toEqual([
    '\u2068Meir Park\u2069: بلاغ عن زجاج مكسور',
  ]);
  expect([...(await told(later)), ...(await told(asked))]).toEqual([]);
});

test('users with a later meeting there, or who accept one afterwards, are notified once, shortly before the meeting', async () => {
  const { park, ann, bob } = await scene();
  const [host, guest, late, spared] = await fixtures.users('Host', 'Guest', 'Late', 'Spared');
  for (const user of [guest, late, spared]) await fixtures.befriend(host, user);
  const invite = async (other: TestUser, hours: number) => {
    const [id] = await inviteTo(park, host, [other], hours);
    return id;
  };
  const accept = (other: TestUser, p_invite_id: unknown) =>
    other.call('respond_to_invite', { p_invite_id, p_accept: true });
  /** Moves a meeting to two hours from now. */
  const comesNear = async (id: unknown) => {
    expect(
      await admin.value`with near as (
           update private.jobs j set due_at = now() from public.park_invites i
           where i.id = ${id} and j.payload ->> 'invite_id' = i.id::text and j.due_at = i.meet_at - interval '3 hours' returning i.id
         ) update public.park_invites i set meet_at = now() + interval '2 hours' from near where i.id = near.id returning true`,
    ).toBe(true);
    await tell();
  };
  const later = await invite(guest, 6);
  await accept(guest, later);
  const soon = await invite(late, 2);
  await checkIn(bob, park);
  const report_id = await report(ann, park, 'glass');
  await confirm(bob, report_id);
  await tell();
  expect([...(await told(host)), ...(await told(guest)), ...(await told(late))]).toEqual([]);
  await comesNear(later);
  expect(await told(host)).toMatchObject([{ hazard: 'glass' }]);
  expect(await told(guest)).toHaveLength(1);
  await accept(late, soon);
  await tell();
  expect(await told(late)).toHaveLength(1);
  expect(await told(host)).toHaveLength(1);
  // A hazard that is cleared before its notification is sent does not cause a notification.
  const cleared = await invite(spared, 7);
  await accept(spared, cleared);
  await fixtures.regulars([bob], park);
  await clear(bob, report_id);
  expect(await clear(ann, report_id)).toBe(true);
  await comesNear(cleared);
  expect(await told(spared)).toEqual([]);
});

test('a regular who has never been at a park verifies no hazard there, and their rating does not count the same day', async () => {
  const { park, fan } = await scene();
  const [eve, mallory] = await fixtures.users('Eve', 'Mallory');
  await fixtures.regulars([eve]);
  for (const user of [eve, mallory]) await checkIn(user, park);
  const [first, second] = [await report(eve, park), await report(mallory, park, 'glass')];
  await confirm(mallory, first);
  await confirm(eve, second);
  await saveReview(eve, park, { p_rank: 1 });
  await tell();
  expect(await hazards(park)).toMatchObject([
    { hazard: 'poison', verified: false },
    { hazard: 'glass', verified: false },
  ]);
  expect(await told(fan)).toEqual([]);
  expect(await anonymous.call('park_status', { p_park_id: park })).toMatchObject({
    review_count: 0,
  });
});

const undo = (user: TestUser, p_visit_id: string) => user.call('undo_check_in', { p_visit_id });

test('undoing a visit withdraws what the user verified, reported and ended', async () => {
  const { park, ann, bob, fan } = await scene();
  const mine = await report(ann, park);
  const { check_in_id: visit } = await checkIn(bob, park);
  await confirm(bob, mine);
  expect(await bob.call('inform_city', { p_report_id: mine })).toBe(true);
  const glass = await report(bob, park, 'glass');
  await confirm(ann, glass);
  const ticks = await report(bob, park, 'ticks');
  await tell();
  expect(await told(fan)).toHaveLength(2);
  const cleared = await report(await fixtures.user('Newcomer'), park, 'awns');
  expect(await clear(bob, cleared)).toBe(true);
  await undo(bob, visit);
  expect(await hazards(park, ann)).toMatchObject([
    { hazard: 'poison', verified: false, confirmations: 0 },
    // Ann had confirmed this report, so she becomes its reporter when Bob's statement is withdrawn.
    { hazard: 'glass', verified: false, confirmations: 0, mine: true },
    { hazard: 'awns', cleared: false },
  ]);
  expect(await live(park)).toEqual({ poison: false, glass: false, awns: false });
  expect(
    await anonymous.column`select city_informed_at from park_hazards where id = ${mine}`,
  ).toEqual([null]);
  expect(await told(fan)).toEqual([]);
  // Bob may report the hazard again, because he did not clear the first report.
  expect(await report(bob, park, 'ticks')).not.toBe(ticks);
});

test('undoing a visit withdraws its evidence from an earlier report that was repeated during it', async () => {
  const { park, ann, bob } = await scene();
  await fixtures.regulars([bob], park);
  await fixtures.leave(ann);
  await checkIn(ann, park, {});
  const id = await report(bob, park);
  const { check_in_id: visit } = await checkIn(bob, park);
  await report(bob, park);
  await confirm(ann, id);
  expect(await hazards(park)).toMatchObject([{ verified: true }]);
  await undo(bob, visit);
  expect(await hazards(park)).toMatchObject([{ verified: false, confirmations: 1 }]);
});

test('statements keep their weight when the visits and accounts of their users are deleted', async () => {
  const { park, ann, bob, fan } = await scene();
  await checkIn(bob, park);
  const [first, second] = [await report(ann, park), await report(ann, park, 'glass')];
  await confirm(bob, first);
  await admin.rows`delete from check_ins where user_id = ${ann.id}`;
  await confirm(bob, second);
  for (const { id } of [ann, bob]) await service.call('delete_user_data', { p_user_id: id });
  await tell();
  expect(await hazards(park)).toMatchObject([{ verified: true }, { verified: true }]);
  expect(await told(fan)).toHaveLength(2);
});

test('two users there verify nothing unless one device was located near the park', async () => {
  const { park, ann, bob } = await scene();
  await fixtures.leave(ann);
  await admin.rows`delete from check_ins where user_id = ${ann.id} and started_at > private.day_start()`;
  for (const user of [ann, bob]) await checkIn(user, park, {});
  const id = await report(ann, park);
  await confirm(bob, id);
  expect(await hazards(park)).toMatchObject([{ verified: false, confirmations: 1 }]);
});

test('twenty new accounts at the park notify nobody; three regulars end what they report', async () => {
  const { park, ann, fan } = await scene();
  const crowd = await fixtures.crowd(20);
  for (const user of crowd) await checkIn(user, park);
  const [first, ...others] = crowd as [TestUser, ...TestUser[]];
  const id = await report(first, park, 'looseDog');
  for (const user of others) await confirm(user, id);
  await tell();
  expect(await hazards(park)).toMatchObject([{ hazard: 'looseDog', verified: false }]);
  expect(await told(fan)).toEqual([]);
  const more = await fixtures.users('Cat', 'Dan');
  await fixtures.regulars(more, park);
  for (const user of more) await checkIn(user, park);
  expect(await clear(ann, id)).toBe(false);
  expect([await clear(more[0], id), await clear(more[1], id)]).toEqual([false, true]);
  expect(await hazards(park)).toEqual([]);
});

test('one or two regulars neither end what seven confirmed, nor cause notifications from home', async () => {
  const { park, ann, fan } = await scene();
  const [first, second, ...seven] = (await fixtures.crowd(9)) as [
    TestUser,
    TestUser,
    ...TestUser[],
  ];
  await fixtures.regulars([first, second, ...seven], park);
  // Regulars who are not at the park cannot verify a hazard, so nobody is notified.
  const glass = await report(first, park, 'glass');
  await confirm(second, glass);
  expect(await hazards(park)).toMatchObject([{ hazard: 'glass', verified: false }]);
  await tell();
  expect(await told(fan)).toEqual([]);
  // A regular who is elsewhere cannot end the report of a regular who is at the park.
  const poison = await report(ann, park);
  expect(await clear(first, poison)).toBe(false);
  for (const user of seven) await confirm(user, poison);
  for (const user of [first, second]) await checkIn(user, park);
  expect([await clear(first, poison), await clear(second, poison)]).toEqual([false, false]);
  expect(await live(park)).toMatchObject({ poison: false });
  expect(await clear(seven[0] as TestUser, poison)).toBe(true);
});

test('a hazard that was cleared and is reported again notifies nobody twice; a verified one shows as cleared for a day', async () => {
  const { park, ann, bob, fan } = await scene();
  await fixtures.regulars([bob], park);
  await checkIn(bob, park);
  const id = await report(ann, park, 'glass');
  await confirm(bob, id);
  await tell();
  await clear(bob, id);
  expect(await clear(ann, id)).toBe(true);
  expect(await hazards(park)).toMatchObject([{ hazard: 'glass', verified: true, cleared: true }]);
  expect(await live(park)).toBeNull();
  // Ann and Bob must wait an hour before they report the same hazard again, so other users report it.
  const [cat, dan] = await fixtures.users('Cat', 'Dan');
  await fixtures.regulars([cat], park);
  for (const user of [cat, dan]) await checkIn(user, park);
  await confirm(dan, await report(cat, park, 'glass'));
  await tell();
  expect(await hazards(park)).toMatchObject([{ verified: true, cleared: false }]);
  expect(await told(fan)).toHaveLength(1);
});

test('minor hazards that are cleared again suppress neither a severe one nor one of another user', async () => {
  const { park, ann, bob, fan } = await scene();
  const [cat, dan] = await fixtures.users('Cat', 'Dan');
  await fixtures.regulars([cat], park);
  for (const user of [bob, cat, dan]) await checkIn(user, park);
  for (const hazard of ['ticks', 'noWater', 'awns', 'brokenFence', 'caterpillars'])
    await confirm(bob, await report(ann, park, hazard));
  await tell();
  expect(await told(fan)).toHaveLength(4);
  await confirm(bob, await report(ann, park, 'poison'));
  await tell();
  expect(await told(fan)).toHaveLength(5);
  await confirm(dan, await report(cat, park, 'kennelCough'));
  await tell();
  expect(await told(fan)).toHaveLength(6);
});

test('only users who have been there can report that they told the city', async () => {
  const { park, ann, bob } = await scene();
  const id = await report(bob, park, 'brokenFence');
  expect(await bob.call('inform_city', { p_report_id: id })).toBe(false);
  expect(await hazards(park)).toMatchObject([{ informed: false }]);
  expect(await ann.call('inform_city', { p_report_id: id })).toBe(true);
  expect(await hazards(park, bob)).toMatchObject([{ informed: true, mine: true }]);
  expect(await ann.call('inform_city', { p_report_id: randomUUID() })).toBe(false);
});

test('its photo shows once it is approved, in the report and not in the gallery', async () => {
  const { park, ann, bob } = await scene();
  const id = await report(ann, park, 'glass');
  const path = await contributePhoto(ann, park);
  const add = (user: TestUser, p_path: string) => addPhoto(user, id, p_path);
  expect(await add(bob, path)).toBe(false);
  expect(await add(bob, await contributePhoto(bob, park))).toBe(false);
  expect(await add(ann, path)).toBe(true);
  expect(await add(ann, path)).toBe(true);
  // Other users cannot find out that the photo is pending.
  expect(await add(bob, path)).toBe(false);
  const photos = () =>
    anonymous.value('select photos from park_hazards where park_id = $1', [park]);
  expect(await photos()).toEqual([]);
  expect(await claim(service, 'hazard', id)).toMatchObject({
    after: { hazard: 'glass', verified: false },
  });
  expect(await claim(service, 'photo', path)).toMatchObject({ of_hazard: true });
  await approvePhoto(path);
  expect(await photos()).toEqual([path]);
  expect(
    await anonymous.rows`select of_hazard, primary_photo from park_photos f join parks p on p.id = park_id where path = ${path}`,
  ).toEqual([{ of_hazard: true, primary_photo: null }]);
});

test('the photo of a hidden hazard is withdrawn, restored with the hazard, and deleted with it or its contributor', async () => {
  const { park, ann, bob } = await scene();
  await fixtures.regulars([bob], park);
  const id = await report(ann, park, 'glass');
  await confirm(bob, id);
  const [anns, bobs] = [await contributePhoto(ann, park), await contributePhoto(bob, park)];
  expect([await addPhoto(ann, id, anns), await addPhoto(bob, id, bobs)]).toEqual([true, true]);
  await approvePhoto(anns);
  const moves = () =>
    admin.value`with gone as (delete from private.jobs where type = 'move-photo' and payload ->> 'path' in (${anns}, ${bobs}) returning *)
      select coalesce(jsonb_object_agg(payload ->> 'path', payload -> 'to'), '{}') from gone`;
  const statuses = () =>
    admin.value`select jsonb_object_agg(path, status) from public.park_photos where path in (${anns}, ${bobs})`;
  await decide(service, 'hazard', id, 'not_true');
  expect(await moves()).toEqual({ [anns]: 'pending-photos', [bobs]: 'pending-photos' });
  expect(await statuses()).toEqual({ [anns]: 'rejected', [bobs]: 'rejected' });
  // The daily job keeps the files while the decision can be undone.
  await admin.rows('select private.reduce_history()');
  expect(await moves()).toEqual({});
  const decision =
    await admin.value`select id from private.desk_decisions where type = 'hazard' and item_id = ${id}`;
  expect(await service.call('desk_undo', { p_decision_id: decision })).toBe(true);
  expect(await statuses()).toEqual({ [anns]: 'approved', [bobs]: 'pending' });
  expect(await moves()).toEqual({ [anns]: 'parks' });
  // A photo is deleted with its contributor's account, even if another user reported the hazard.
  expect(await service.call('delete_user_data', { p_user_id: bob.id })).toEqual([
    { bucket: 'pending-photos', name: bobs },
  ]);
  expect(await moves()).toEqual({ [bobs]: null });
  // A photo is deleted together with its hazard.
  await admin.rows`update private.live_reports set expires_at = now() - interval '91 days' where id = ${id}`;
  await admin.rows('select private.reduce_history()');
  expect(await moves()).toEqual({ [anns]: null });
});

test('hiding a hazard withdraws its notifications, and its reporter cannot repeat it', async () => {
  const { park, ann, bob, fan } = await scene();
  await checkIn(bob, park);
  const id = await report(ann, park);
  await confirm(bob, id);
  await tell();
  expect(await told(fan)).toHaveLength(1);
  expect(await admin.value('select private.decide_hazard($1, false)', [id])).toBe(true);
  expect(await admin.value('select private.decide_hazard($1, false)', [id])).toBe(false);
  expect(await hazards(park)).toEqual([]);
  expect(await told(fan)).toEqual([]);
  await admin.rows(
    `update private.live_reports set ended_at = ended_at - interval '2 days', hidden_at = hidden_at - interval '2 days' where id = $1`,
    [id],
  );
  expect(await errorCode(report(ann, park))).toBe('too_many');
  expect(await errorCode(report(bob, park))).toBe('not refused');
});

test.each([
  ['looseDog', 1, 12],
  ['noWater', 24, 72],
  ['poison', 48, 120],
  ['glass', 48, 120],
  ['brokenFence', 72, 240],
  ['caterpillars', 168, 480],
  ['ticks', 168, 480],
  ['kennelCough', 168, 480],
  ['stomachBug', 168, 480],
  ['parvovirus', 168, 480],
  ['awns', 480, 960],
] as const)('%s still counts after %i hours, and no more after %i', async (hazard, still, gone) => {
  const { park, ann, bob } = await scene();
  await checkIn(bob, park);
  const id = await report(ann, park, hazard);
  await confirm(bob, id);
  const shownAfter = async (hours: number) => {
    await admin.rows`update private.live_reports set expires_at = expires_at - make_interval(hours => ${hours}) where id = ${id}`;
    return (await hazards(park)).length;
  };
  expect([await shownAfter(still), await shownAfter(gone - still)]).toEqual([1, 0]);
  // The first report had expired. Reporting the hazard again and clearing it must not show the first report as cleared.
  await clear(bob, await report(bob, park, hazard));
  expect(await hazards(park)).toEqual([]);
});

test('only users who were there within its two weeks can report an illness', async () => {
  const { park, ann } = await scene();
  const stranger = await fixtures.user('Eve');
  expect(await errorCode(report(stranger, park, 'parvovirus'))).toBe('not_been_there');
  await fixtures.visited(park, [stranger], 20);
  expect(await errorCode(report(stranger, park, 'parvovirus'))).toBe('not_been_there');
  await fixtures.visited(park, [stranger], 10);
  expect(await errorCode(report(stranger, park, 'parvovirus'))).toBe('not refused');
  expect(await errorCode(report(ann, park, 'kennelCough'))).toBe('not refused');
});

test('it expires, and is not among the conditions of a park', async () => {
  const { park, ann } = await scene();
  await report(ann, park, 'looseDog');
  await ann.call('report_condition', { p_park_id: park, p_condition: 'muddy' });
  expect(
    await anonymous.rows`select condition from park_conditions where park_id = ${park}`,
  ).toEqual([{ condition: 'muddy' }]);
  expect(await anonymous.call('live_counts')).toMatchObject({ conditions: { [park]: ['muddy'] } });
  expect(await anonymous.call('park_status', { p_park_id: park })).toMatchObject({
    conditions: [{ condition: 'muddy' }],
    hazards: [{ hazard: 'looseDog', verified: false, photos: [] }],
  });
  await admin.rows(
    `update private.live_reports set expires_at = now() - interval '1 second' where hazard is not null and park_id = $1`,
    [park],
  );
  expect(await hazards(park)).toEqual([]);
  expect(await live(park)).toBeNull();
});
