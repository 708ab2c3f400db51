// Tests calendar feeds: who may create and revoke them, what a URL reveals, and when it stops working.
import { expect, test } from 'vitest';
import { createFixtures, inHours, errorCode, type Caller, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

interface Event {
  id: string;
  park: { id: number; name: string };
  meet_at: string;
  answer: string;
  changed_at: string;
}
interface Calendar {
  language: string;
  events: Event[];
}

const make = async (who: Caller) => String(await who.call('make_calendar_feed'));
const open = (secret: string) => fixtures.calendarOf(secret) as Promise<Calendar | null>;
const eventsOf = async (secret: string) => (await open(secret))?.events ?? [];

/** Creates a host and two guests, who know the host but not each other. Each has a calendar URL. */
async function meeting() {
  const [host, cleo] = await fixtures.users('Ann Host', 'Cleo Guest');
  const ben = await fixtures.user('Ben Guest', { language: 'he' });
  for (const guest of [ben, cleo]) await fixtures.befriend(host, guest);
  const park = await fixtures.park('Willow');
  const meetAt = inHours(2);
  const invite = () =>
    host.call('invite_to_park', {
      p_park_id: park,
      p_friend_ids: [ben.id, cleo.id],
      p_meet_at: meetAt,
    });
  await invite();
  const secrets = { host: await make(host), ben: await make(ben), cleo: await make(cleo) };
  const answer = async (guest: TestUser, accept: boolean) =>
    guest.call('respond_to_invite', {
      p_invite_id: await guest.value`select id from park_invites where receiver_id = ${guest.id}`,
      p_accept: accept,
    });
  return { host, ben, cleo, park, meetAt, invite, secrets, answer };
}

test("a feed contains park, time and the user's own response, but no names or IDs of users", async () => {
  const { host, ben, cleo, park, meetAt, secrets, answer } = await meeting();
  await answer(ben, true);
  const calendar = await open(secrets.ben);
  expect(calendar).toMatchObject({
    language: 'he',
    events: [{ park: { id: park, name: 'Willow' }, answer: 'accepted' }],
  });
  expect(new Date(calendar?.events[0]?.meet_at ?? 0)).toEqual(meetAt);
  expect(await eventsOf(secrets.host)).toMatchObject([{ answer: 'host' }]);
  expect(await eventsOf(secrets.cleo)).toMatchObject([{ answer: 'pending' }]);
  for (const secret of Object.values(secrets)) {
    const content = JSON.stringify(await open(secret));
    for (const user of [host, ben, cleo]) {
      expect(content).not.toContain(user.id);
      expect(content).not.toContain(user.name);
    }
  }
  // Two users' feeds contain different event IDs for the same meeting, so that the feeds cannot be linked.
  const ids = await Promise.all(
    Object.values(secrets).map(async (secret) => (await eventsOf(secret))[0]?.id),
  );
  expect(new Set(ids).size).toBe(3);
});

test('a changed response changes only the event of its user', async () => {
  const { ben, secrets, answer } = await meeting();
  const before = {
    ben: (await eventsOf(secrets.ben))[0],
    host: await open(secrets.host),
    cleo: await open(secrets.cleo),
  };
  await answer(ben, false);
  const [after] = await eventsOf(secrets.ben);
  expect(after).toMatchObject({ id: before.ben?.id, answer: 'declined' });
  expect(Date.parse(after?.changed_at ?? '')).toBeGreaterThan(
    Date.parse(before.ben?.changed_at ?? ''),
  );
  expect(await open(secrets.host)).toEqual(before.host);
  expect(await open(secrets.cleo)).toEqual(before.cleo);
});

test('a cancelled meeting is marked as cancelled in all feeds until its time has passed, and can be created again', async () => {
  const { host, ben, park, meetAt, invite, secrets } = await meeting();
  const [was] = await eventsOf(secrets.ben);
  await host.call('call_off_meeting', { p_park_id: park, p_meet_at: meetAt });
  for (const secret of Object.values(secrets))
    expect(await eventsOf(secret)).toMatchObject([{ answer: 'cancelled' }]);
  expect(await eventsOf(secrets.ben)).toMatchObject([{ id: was?.id }]);
  await invite();
  expect(await eventsOf(secrets.ben)).toMatchObject([{ id: was?.id, answer: 'pending' }]);
  // Cancellations are not stored for a user without a calendar URL.
  await ben.call('end_calendar_feed');
  await host.call('call_off_meeting', { p_park_id: park, p_meet_at: meetAt });
  const left = () =>
    admin.value`select count(*)::int from private.cancelled_meetings where park_id = ${park}`;
  expect(await left()).toBe(2);
  await admin.rows`update private.cancelled_meetings set meet_at = now() - interval '5 hours' where park_id = ${park}`;
  expect(await eventsOf(secrets.host)).toEqual([]);
  await admin.rows('select private.reduce_history()');
  expect(await left()).toBe(0);
});

test('a meeting whose park is merged into another is cancelled and added again at the other park', async () => {
  const { park, secrets } = await meeting();
  const into = await fixtures.park('Oak');
  await admin.rows('select private.merge_parks($1, $2)', [park, into]);
  for (const [who, answer] of [
    ['host', 'host'],
    ['ben', 'pending'],
  ] as const) {
    const events = await eventsOf(secrets[who]);
    expect(Object.fromEntries(events.map((event) => [event.park.name, event.answer]))).toEqual({
      Willow: 'cancelled',
      Oak: answer,
    });
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  }
});

test("a blocked guest's meeting is cancelled; deleting a park or an account deletes their meetings", async () => {
  const { host, ben, park, secrets } = await meeting();
  await host.call('block_user', { p_user_id: ben.id });
  expect(await eventsOf(secrets.ben)).toMatchObject([{ answer: 'cancelled' }]);
  expect(await eventsOf(secrets.host)).toMatchObject([{ answer: 'host' }]);
  await service.call('delete_user_data', { p_user_id: host.id });
  expect(await open(secrets.host)).toBeNull();
  expect(await eventsOf(secrets.cleo)).toMatchObject([{ answer: 'cancelled' }]);
  await admin.rows('delete from parks where id = $1', [park]);
  expect(await eventsOf(secrets.cleo)).toEqual([]);
});

test('a URL stops working after a new one is created, when it is revoked, and while its owner is suspended', async () => {
  const { ben, secrets } = await meeting();
  const [event] = await eventsOf(secrets.ben);
  const next = await make(ben);
  expect(await open(secrets.ben)).toBeNull();
  expect(await eventsOf(next)).toMatchObject([{ id: event?.id }]);
  await admin.rows`update auth.users set banned_until = now() + interval '1 day' where id = ${ben.id}`;
  expect(await open(next)).toBeNull();
  expect(await errorCode(make(ben))).toBe('42501');
  await admin.rows('update auth.users set banned_until = null where id = $1', [ben.id]);
  expect(await open(next)).not.toBeNull();
  expect(await ben.call('my_calendar_feed')).toBeInstanceOf(Date);
  expect([await ben.call('end_calendar_feed'), await ben.call('end_calendar_feed')]).toEqual([
    true,
    false,
  ]);
  expect(await open(next)).toBeNull();
  expect(await ben.call('my_calendar_feed')).toBeNull();
});

test('a new password revokes the URL, because an attacker who knew the old one may have it', async () => {
  const { ben, cleo, secrets } = await meeting();
  const setPassword = (hash: string) =>
    admin.rows`update auth.users set encrypted_password = ${hash}, updated_at = clock_timestamp() where id = ${ben.id}`;
  await setPassword('first');
  const address = await make(ben);
  // The feed stays valid if a login stores the same password under a newer hash, or if other columns of the account change.
  await admin.rows`update auth.users set encrypted_password = 'newer' where id = ${ben.id}`;
  await setPassword('newer');
  expect(await open(address)).not.toBeNull();
  await setPassword('second');
  expect(await open(address)).toBeNull();
  expect(await ben.call('my_calendar_feed')).toBeNull();
  expect(await open(secrets.cleo)).not.toBeNull();
  expect(await cleo.call('my_calendar_feed')).toBeInstanceOf(Date);
});

test('only its owner can create and revoke a URL, after the second factor, and stored data does not reveal it', async () => {
  const [ann, bob] = [await fixtures.user('Ann'), await fixtures.moderator('Bob')];
  const secret = await make(ann);
  const passwordOnly = fixtures.withPasswordOnly(bob);
  await make(bob);
  for (const call of ['make_calendar_feed', 'end_calendar_feed'])
    expect(await errorCode(passwordOnly.call(call)), call).toBe('42501');
  expect(await passwordOnly.call('my_calendar_feed')).toBeNull();
  await bob.call('end_calendar_feed');
  expect(await open(secret)).not.toBeNull();
  const stored = JSON.stringify([
    await admin.rows('select f::text from private.calendar_feeds f'),
    await fixtures.exportOf(ann.id),
  ]);
  expect(stored).not.toContain(secret);
  expect(stored).toContain('calendar_feed');
});

test('at most ten new URLs can be created per day', async () => {
  const ann = await fixtures.user('Ann');
  for (let times = 0; times < 10; times += 1) await make(ann);
  expect(await errorCode(make(ann))).toBe('too_many');
});
