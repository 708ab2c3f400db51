// Tests pushes from a friend's action to the phone's push service: in the receiver's language, according to the receiver's
// preferences, and only once although several hosts may send them.
import { beforeEach, expect, test } from 'vitest';
import { atEnd } from '../../../../testing/at-end.ts';
import { startPushService } from '../../../../testing/push-service.ts';
import { startTestHost, type Client } from '../../../../testing/test-host.ts';

const fcm = await startPushService();
atEnd(fcm.close);
// Two hosts on one database compete for every push.
const first = await startTestHost(fcm.settings);
const second = await startTestHost({ ...fcm.settings, DATABASE_URL: first.connectionString });
for (const host of [first, second]) await host.startJobs();
beforeEach(() => (fcm.requests.length = 0));

interface Message {
  token: string;
  notification: { title: string; body: string };
  data: Record<string, string>;
  android: { collapse_key: string; notification: { channel_id: string; tag: string } };
  apns: { headers: Record<string, string> };
}

interface Owner {
  id: string;
  client: Client;
  phone: string;
}

/** Signs up a user through one of the hosts and registers a phone as the app does. */
async function owner(name: string, language: 'en' | 'he' | 'ar' = 'en'): Promise<Owner> {
  const client = (name.length % 2 ? second : first).client();
  const { data, error } = await client.auth.signUp({
    email: `${crypto.randomUUID()}@example.test`,
    password: 'a long enough password',
    options: { data: { full_name: name, language, age_confirmed: true } },
  });
  if (error || !data.user) throw error ?? new Error('no user');
  const phone = `phone of ${name} ${crypto.randomUUID()}`;
  const registered = await client
    .from('device_tokens')
    .upsert(
      { user_id: data.user.id, device_id: crypto.randomUUID(), platform: 'android', token: phone },
      { onConflict: 'device_id' },
    );
  if (registered.error) throw registered.error;
  return { id: data.user.id, client, phone };
}

async function done(response: PromiseLike<{ error: unknown }>): Promise<void> {
  const { error } = await response;
  if (error) throw error as Error;
}

const befriend = (from: Owner, to: Owner) =>
  done(from.client.rpc('send_friend_request', { p_user_id: to.id }));
const accept = (sender: Owner, me: Owner) =>
  done(me.client.rpc('accept_friend_request', { p_user_id: sender.id }));

async function makeFriends(one: Owner, other: Owner): Promise<void> {
  await befriend(one, other);
  await accept(one, other);
}

const pushesTo = ({ phone }: Owner) =>
  fcm.requests
    .filter(({ url }) => url.pathname.endsWith('messages:send'))
    .map(({ body }) => (JSON.parse(body) as { message: Message }).message)
    .filter(({ token }) => token === phone);

/** Returns the types of pushes to a phone after all due pushes were sent. */
async function kindsTo(receiver: Owner): Promise<string[]> {
  // The push that was requested last has arrived, so all earlier ones were sent too.
  const [knocker, sentinel] = [await owner('Knocker'), await owner('Sentinel')];
  await befriend(knocker, sentinel);
  await expect.poll(() => pushesTo(sentinel)).toHaveLength(1);
  await expect
    .poll(() => first.sql(`select id from private.jobs where type = 'send-push'`))
    .toEqual([]);
  return pushesTo(receiver).map(({ data }) => data.type ?? '');
}

/** Returns the title and the text without the control characters that isolate a name's direction. */
const textOf = (message: Message | undefined) =>
  [message?.notification.title, message?.notification.body].map((text) =>
    text?.replaceAll(/[\u2066-\u2069]/g, ''),
  );

async function park(): Promise<number> {
  const id = await first.park();
  await first.sql`insert into public.park_translations (park_id, language, name, city, address)
    values (${id}, 'he', 'גינת הים', 'x', 'x'), (${id}, 'ar', 'حديقة البحر', 'x', 'x')`;
  return id;
}

test('a request and its approval each reach the other user’s phone once, in their language', async () => {
  const [noa, sami] = [await owner('Noa', 'he'), await owner('Sami', 'ar')];
  await befriend(noa, sami);
  expect(await kindsTo(sami)).toEqual(['friendRequest']);
  expect(textOf(pushesTo(sami)[0])).toEqual(['طلب صداقة جديد', 'وصلكم طلب صداقة من Noa']);
  // The sender of the request gets no push about it.
  expect(pushesTo(noa)).toEqual([]);
  await accept(noa, sami);
  expect(await kindsTo(noa)).toEqual(['friendApproval']);
  expect(textOf(pushesTo(noa)[0])).toEqual(['בקשת החברות אושרה', 'עכשיו אתם חברים של Sami']);
  // Tapping the push opens the new friend's page.
  expect(pushesTo(noa)[0]?.data).toMatchObject({ sender_id: sami.id });
});

test('an invite reaches each friend in their language with the data for a tap, and the inviter is notified of the response', async () => {
  const [noa, sami] = [await owner('Noa', 'he'), await owner('Sami', 'ar')];
  const dana = await owner('Dana');
  await makeFriends(noa, sami);
  await makeFriends(noa, dana);
  const parkId = await park();
  await done(
    noa.client.rpc('invite_to_park', {
      p_park_id: parkId,
      p_friend_ids: [sami.id, dana.id],
      p_meet_at: new Date(Date.now() + 3_600_000).toISOString(),
      p_key: crypto.randomUUID(),
    }),
  );
  // The push of a friend request is skipped if the request was accepted before the push was sent. Both are possible here, so these
  // pushes are ignored.
  for (const receiver of [sami, dana])
    expect((await kindsTo(receiver)).filter((kind) => kind !== 'friendRequest')).toEqual([
      'parkInvite',
    ]);
  // The push of a friend request may arrive after that of the invite if it was already being sent, so the invite is found by its
  // type.
  const inviteTo = (who: Owner) => pushesTo(who).find(({ data }) => data.type === 'parkInvite');
  const [toSami, toDana] = [inviteTo(sami), inviteTo(dana)];
  expect(toSami?.notification.title).toBe('دعوة إلى حديقة الكلاب');
  expect(toSami?.notification.body).toContain('حديقة البحر');
  expect(toDana?.notification.title).toBe('Meet at the park?');
  expect(toDana?.notification.body).toContain('Sea Park');

  const { data } = await dana.client
    .from('notifications')
    .select('id,data')
    .eq('type', 'parkInvite')
    .single();
  expect(toDana?.data).toMatchObject({
    type: 'parkInvite',
    notification_id: data?.id,
    park_id: String(parkId),
  });
  // If a push is repeated after a crash, it replaces the first one on the phone.
  expect(toDana?.android).toMatchObject({
    collapse_key: data?.id,
    notification: { channel_id: 'default', tag: data?.id },
  });
  expect(toDana?.apns.headers['apns-collapse-id']).toBe(data?.id);

  const invite = data?.data as { invite_id: string } | undefined;
  const response = { p_invite_id: invite?.invite_id ?? '', p_accept: true };
  await done(dana.client.rpc('respond_to_invite', response));
  expect((await kindsTo(noa)).at(-1)).toBe('parkInviteResponse');
  expect(pushesTo(noa).at(-1)?.notification.title).toBe('אישור הגעה');
});

test('a phone whose session was ended on another device receives nothing more', async () => {
  const [noa, zoe, receiver] = [await owner('Noa'), await owner('Zoe'), await owner('Receiver')];
  await done(receiver.client.auth.refreshSession());
  await befriend(noa, receiver);
  expect(await kindsTo(receiver)).toEqual(['friendRequest']);
  await first.sql('delete from auth.sessions where user_id = $1', [receiver.id]);
  await befriend(zoe, receiver);
  expect(await kindsTo(receiver)).toEqual(['friendRequest']);
});
