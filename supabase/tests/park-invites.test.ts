// Tests invites to a park: receivers, responses and changed responses, what guests learn about each other, and cancelling a
// meeting.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_DAYS, MAX_FRIENDS } from '../../app/src/features/park-invites/invite-limits.ts';
import { createFixtures, inHours, errorCode, subscribe, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin } = fixtures;

const inbox = (user: TestUser) => user.rows('select * from notifications order by created_at desc');
const meetings = (user: TestUser) => user.rows('select * from my_meetings()');
const answer = (who: TestUser, inviteId: unknown, accept: boolean) =>
  who.call('respond_to_invite', { p_invite_id: inviteId, p_accept: accept });

/** Creates a host who has invited friends to a park. Only the first two of them know each other. */
async function gathering() {
  const [host, cleo, dan] = await fixtures.users('Ann', 'Cleo', 'Dan');
  const ben = await fixtures.user('Ben', { language: 'he' });
  for (const friend of [ben, cleo, dan]) await fixtures.befriend(host, friend);
  await fixtures.befriend(ben, cleo);
  const park = await fixtures.park('Willow');
  const meetAt = inHours(2);
  const invite = (friends: readonly TestUser[], extra = {}) =>
    host.call('invite_to_park', {
      p_park_id: park,
      p_friend_ids: friends.map(({ id }) => id),
      p_meet_at: meetAt,
      ...extra,
    });
  await invite([ben, cleo, dan]);
  const inviteOf = (guest: TestUser) =>
    guest.value('select id from park_invites where receiver_id = $1', [guest.id]);
  return { host, ben, cleo, dan, park, meetAt, invite, inviteOf };
}

test('an invite goes only to friends, once, and the host is notified of the response', async () => {
  const { host, ben, dan, park, meetAt, invite, inviteOf } = await gathering();
  const eve = await fixtures.user('Eve');
  await subscribe(dan);
  await invite([dan], { p_meet_at: inHours(1) });
  const seconds = `select seconds from claim_pushes(p_type => 'send-web-push')`;
  expect(await fixtures.service.value(seconds)).toBeLessThanOrEqual(3600);
  expect(await invite([ben, eve])).toEqual([]);
  expect(await inbox(eve)).toEqual([]);
  const id = await inviteOf(ben);
  const [told] = await inbox(ben);
  expect(told).toMatchObject({
    type: 'parkInvite',
    title: 'הזמנה לגינת כלבים',
    data: { park_id: park, invite_id: id },
  });
  expect(told?.app_message).toContain('Willow');
  // The text of a meeting of today contains no date.
  const today = `select private.park_day($1) = private.park_day()`;
  const isToday = await fixtures.service.value(today, [meetAt]);
  expect(/\d+\.\d+/.test(String(told?.app_message))).toBe(!isToday);
  expect(await errorCode(answer(eve, id, true))).toBe('invite_not_found');
  expect(await errorCode(answer(host, id, true))).toBe('invite_not_found');
  expect(await answer(ben, id, true)).toBe('accepted');
  expect((await inbox(host))[0]).toMatchObject({
    type: 'parkInviteResponse',
    title: 'See you at the park',
    data: { accepted: true },
  });
});

test('the limits for guests and dates of an invite are those of the app', async () => {
  const { ben, invite } = await gathering();
  const asking = (friends: number, hours: number) => {
    const strangers = Array.from({ length: friends - 1 }, () => randomUUID());
    return errorCode(
      invite([ben], { p_friend_ids: [ben.id, ...strangers], p_meet_at: inHours(hours) }),
    );
  };
  const latest = MAX_DAYS * 24;
  expect(await asking(MAX_FRIENDS, latest - 2)).toBe('not refused');
  expect(await asking(MAX_FRIENDS + 1, 1)).toBe('invalid_input');
  for (const hours of [-1, latest + 2]) expect(await asking(1, hours)).toBe('invalid_input');
});

test('a response can be changed until the meeting is over; the host sees only the latest one', async () => {
  const { host, ben, inviteOf } = await gathering();
  const id = await inviteOf(ben);
  const told = async () =>
    (await inbox(host))
      .filter(
        ({ type, data }) =>
          type === 'parkInviteResponse' && (data as { invite_id: string }).invite_id === id,
      )
      .map(({ data }) => (data as { accepted: boolean }).accepted);
  await answer(ben, id, true);
  expect(await answer(ben, id, false)).toBe('declined');
  expect(await told()).toEqual([false]);
  // The invite in the guest's own list contains the response, whether or not it was read before.
  const own = (await inbox(ben)).find(({ type }) => type === 'parkInvite');
  expect(own).toMatchObject({ data: { accepted: false }, read_at: expect.any(Date) as Date });
  await answer(ben, id, false);
  expect(await told()).toEqual([false]);
  await admin.rows`update park_invites set meet_at = ${inHours(-5)} where id = ${id}`;
  expect(await errorCode(answer(ben, id, true))).toBe('invite_expired');
  expect(await meetings(ben)).toEqual([]);
});

test('a response can be changed at most twenty times a day', async () => {
  const { ben, inviteOf } = await gathering();
  const id = await inviteOf(ben);
  for (let time = 0; time < 20; time += 1) await answer(ben, id, time % 2 === 0);
  expect(await errorCode(answer(ben, id, true))).toBe('too_many');
});

test('the host sees every response, a guest only the friends who come and the number of others', async () => {
  const { host, ben, cleo, dan, park, inviteOf } = await gathering();
  await answer(cleo, await inviteOf(cleo), true);
  await answer(dan, await inviteOf(dan), true);
  await answer(ben, await inviteOf(ben), false);
  expect(await meetings(host)).toMatchObject([
    {
      park_id: String(park),
      park_name: 'Willow',
      host_id: host.id,
      invite_id: null,
      status: null,
      guests: [
        { name: 'Cleo', status: 'accepted' },
        { name: 'Dan', status: 'accepted' },
        { name: 'Ben', status: 'declined' },
      ],
      more_coming: 0,
    },
  ]);
  const photo = `${host.id}/dogs/rex/primary/rex.webp`;
  await admin.rows('update public.users set picture = $1 where id = $2', [photo, host.id]);
  // Ben and Dan are not friends.
  expect(await meetings(ben)).toMatchObject([
    {
      host_name: 'Ann',
      host_picture: photo,
      invite_id: await inviteOf(ben),
      status: 'declined',
      guests: [{ id: cleo.id, name: 'Cleo', status: 'accepted' }],
      more_coming: 1,
    },
  ]);
  expect(await meetings(dan)).toMatchObject([{ guests: [], more_coming: 1 }]);
  // Hidden users are only counted, even for friends, as at a park.
  await cleo.rows('update users set hidden = true where id = $1', [cleo.id]);
  expect(await meetings(ben)).toMatchObject([{ guests: [], more_coming: 2 }]);
  expect(await meetings(host)).toMatchObject([{ guests: [{ name: 'Cleo' }, {}, {}] }]);
  expect(await meetings(await fixtures.user('Eve'))).toEqual([]);
});

test('cancelling a meeting withdraws the invites and notifies those who accepted', async () => {
  const { host, ben, cleo, dan, park, meetAt, inviteOf } = await gathering();
  await answer(cleo, await inviteOf(cleo), true);
  await answer(dan, await inviteOf(dan), false);
  const callOff = (who: TestUser) =>
    who.call('call_off_meeting', { p_park_id: park, p_meet_at: meetAt });
  expect(await callOff(cleo)).toBe(0);
  expect(await callOff(host)).toBe(1);
  const types = async (user: TestUser) =>
    (await inbox(user)).map(({ type }) => type).filter((type) => String(type).startsWith('park'));
  expect(await types(cleo)).toEqual(['parkInviteCancelled']);
  expect((await inbox(cleo))[0]).toMatchObject({ title: 'The meeting is off' });
  for (const user of [ben, dan, host]) expect(await types(user)).toEqual([]);
  for (const user of [host, ben, cleo, dan]) expect(await meetings(user)).toEqual([]);
});
