// Tests notifications: they are published in a second step, in the receiver's language, if the receiver wants them; and the outbox
// of pushes.
import { expect, test } from 'vitest';
import { createFixtures, inviteTo, errorCode, type TestUser } from './fixtures.ts';

const fixtures = await createFixtures();
const { admin, service } = fixtures;

const inbox = (user: TestUser) => user.rows('select * from notifications order by created_at desc');
const request = (from: TestUser, to: TestUser) =>
  from.call('send_friend_request', { p_user_id: to.id });

test.each([
  ['en', 'New friend request', '\u2068Ann\u2069 wants to be your friend'],
  ['he', 'בקשת חברות חדשה', 'בקשת חברות מאת \u2068Ann\u2069'],
  ['ar', 'طلب صداقة جديد', 'وصلكم طلب صداقة من \u2068Ann\u2069'],
])(
  'a request is notified in the language of its receiver: %s',
  async (language, title, message) => {
    const [ann, bob] = [await fixtures.user('Ann'), await fixtures.user('Bob', { language })];
    await request(ann, bob);
    expect(await inbox(bob)).toMatchObject([
      {
        type: 'friendRequest',
        sender_id: ann.id,
        title,
        app_message: message,
        push_message: message,
        is_ready: true,
        read_at: null,
        seen_at: null,
      },
    ]);
  },
);

test('changing the language also changes earlier notifications and the auth emails', async () => {
  const [ann, bob] = [await fixtures.user('Ann'), await fixtures.user('Bob')];
  await request(ann, bob);
  await bob.rows(`update users set language = 'he' where id = $1`, [bob.id]);
  const message = 'בקשת חברות מאת \u2068Ann\u2069';
  expect(await inbox(bob)).toMatchObject([
    { title: 'בקשת חברות חדשה', app_message: message, push_message: message },
  ]);
  expect(
    await admin.rows`select raw_user_meta_data ->> 'language' as language from auth.users where id = ${bob.id}`,
  ).toEqual([{ language: 'he' }]);
});

test('a name cannot reverse the message around it, because its bidirectional marks are removed', async () => {
  const [ann, bob] = await fixtures.users('A\u2069\u202Enn\u2066', 'Bob');
  await request(ann, bob);
  const told = '\u2068Ann\u2069 wants to be your friend';
  expect(await inbox(bob)).toMatchObject([{ app_message: told, push_message: told }]);
});

test('a notification is published by a separate update, which realtime sends', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await admin.rows`
    create table seen_updates (op text, was_ready boolean, is_ready boolean);
    create function note_update() returns trigger language plpgsql as $$
    begin insert into public.seen_updates values (tg_op, old.is_ready, new.is_ready); return null; end $$;
    create trigger note_update after insert or update on notifications for each row execute function note_update();
    alter function note_update() security definer`;
  await request(ann, bob);
  expect(await admin.rows('select * from seen_updates')).toEqual([
    { op: 'INSERT', was_ready: null, is_ready: false },
    { op: 'UPDATE', was_ready: false, is_ready: true },
  ]);
  await admin.rows('drop trigger note_update on notifications');
});

test('a user who muted all gets invites in the list as seen; unwanted types are dropped, others arrive', async () => {
  const ann = await fixtures.user('Ann');
  const [muted, picky] = await fixtures.users('Muted', 'Picky');
  await muted.rows('insert into notifications_preferences (muted) values (true)');
  await picky.rows('insert into notifications_preferences (friend_request) values (false)');
  for (const user of [muted, picky]) await request(ann, user);
  expect(await inbox(muted)).toEqual([]);
  expect(await inbox(picky)).toEqual([]);
  await request(picky, await fixtures.user('Eve'));
  await picky.call('cancel_friend_request', { p_user_id: ann.id });
  await picky.call('accept_friend_request', { p_user_id: ann.id });
  const park = await fixtures.park();
  const host = await fixtures.user('Host');
  await request(host, muted);
  await muted.call('accept_friend_request', { p_user_id: host.id });
  await inviteTo(park, host, [muted]);
  expect(await inbox(muted)).toMatchObject([{ type: 'parkInvite', seen_at: expect.any(Date) }]);
  await inviteTo(park, ann, [picky]);
  await picky.rows('update notifications_preferences set park_invite = false');
  await inviteTo(park, ann, [picky], 2);
  expect((await inbox(picky)).map((row) => row.type)).toEqual(['parkInvite']);
  const types = async () => (await inbox(ann)).map((row) => row.type);
  expect(await types()).toEqual(['friendApproval']);
  await ann.rows('insert into notifications_preferences (friend_approval) values (false)');
  const eve = await fixtures.user('Eve');
  await request(ann, eve);
  await eve.call('accept_friend_request', { p_user_id: ann.id });
  expect(await types()).toEqual(['friendApproval']);
});

test('withdrawing a request deletes its notification; accepting marks it read', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await request(ann, bob);
  await ann.call('cancel_friend_request', { p_user_id: bob.id });
  expect(await inbox(bob)).toEqual([]);
  await request(ann, bob);
  await bob.call('accept_friend_request', { p_user_id: ann.id });
  expect((await inbox(bob))[0]?.read_at).not.toBeNull();
});

test("marking: one read, all seen, all read; only the caller's own", async () => {
  const [ann, bob, eve] = await fixtures.users('Ann', 'Bob', 'Eve');
  await request(ann, bob);
  await request(eve, bob);
  const [first] = await inbox(bob);
  await ann.call('mark_notification_read', { notification_id: first?.id });
  const counts = () =>
    bob.rows('select count(seen_at)::int as seen, count(read_at)::int as read from notifications');
  expect(await counts()).toEqual([{ seen: 0, read: 0 }]);
  await bob.call('mark_notification_read', { notification_id: first?.id });
  expect(await counts()).toEqual([{ seen: 1, read: 1 }]);
  await bob.call('mark_all_notifications_as_seen');
  expect(await counts()).toEqual([{ seen: 2, read: 1 }]);
  await bob.call('mark_all_notifications_as_read');
  expect(await counts()).toEqual([{ seen: 2, read: 2 }]);
});

test('a push is queued for each device, leased to one sender, and ends once', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  for (const device of ['bobs-phone-1', 'bobs-phone-2'])
    await bob.rows(
      `insert into device_tokens (device_id, platform, token) values ($1, 'android', $2)`,
      [device, `token of ${device}`],
    );
  await request(ann, bob);
  const claim = () =>
    service.rows<{ id: string; lease: string; token: string; body: string }>(
      'select * from claim_pushes()',
    );
  const claimed = (await Promise.all([claim(), claim()])).flat();
  expect(claimed.map((row) => row.token).sort()).toEqual([
    'token of bobs-phone-1',
    'token of bobs-phone-2',
  ]);
  const [first, second] = claimed;
  const finish = (push: (typeof claimed)[0] | undefined, p_result: string) =>
    service.call('finish_push', {
      p_id: push?.id,
      p_lease: push?.lease,
      p_result,
      p_retry_seconds: 0,
    });
  await finish(first, 'dead_token');
  await finish(second, 'retry');
  expect(await bob.rows('select device_id from device_tokens')).toHaveLength(1);
  const again = await claim();
  expect(again.map((row) => row.id)).toEqual([second?.id]);
  await finish(again[0], 'sent');
  expect(await admin.rows('select * from private.jobs')).toEqual([]);
});

test('a push that is queued while another sender claims is claimed with the others', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await bob.rows`insert into device_tokens (device_id, platform, token) values ('bobs-watch', 'android', 'a token of the watch')`;
  const claimed: { id: string }[] = [];
  let isWriting = true;
  const write = async () => {
    for (let n = 0; n < 300; n += 1)
      await admin.rows`insert into notifications (type, receiver_id, sender_id) values ('friendApproval', ${bob.id}, ${ann.id})`;
    isWriting = false;
  };
  const claim = async () => {
    while (isWriting)
      claimed.push(...(await service.rows<{ id: string }>('select * from claim_pushes()')));
    claimed.push(...(await service.rows<{ id: string }>('select * from claim_pushes(1000)')));
  };
  await Promise.all([write(), claim()]);
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(300);
});

test.each([
  ['Europe/Vienna', '2026-03-28T22:30Z', '2026-03-29T05:00Z'],
  ['Europe/Vienna', '2026-10-24T21:30Z', '2026-10-25T06:00Z'],
  ['Australia/Adelaide', '2026-10-03T14:00Z', '2026-10-03T20:30Z'],
  ['Australia/Adelaide', '2026-04-04T13:00Z', '2026-04-04T21:30Z'],
])(
  'in %s a push at %s waits until seven, across a change of daylight saving time',
  async (zone, at, due) => {
    expect(await admin.value`select private.push_due(${zone}, 22, 7, ${at})`).toEqual(
      new Date(due),
    );
  },
);

test("the default quiet hours are from 22 to 7 in the device's time zone", async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  for (const hour of [22, 5, 7, 20]) {
    const east = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
    const zone = `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
    await bob.rows`insert into device_tokens (device_id, platform, token, time_zone)
       values (${`at hour ${hour}`}, 'ios', ${`token at ${hour}`}, ${zone})`;
  }
  await request(ann, bob);
  expect(
    await admin.rows`with queued as (delete from private.jobs where user_id = ${bob.id} returning payload ->> 'target' as device, due_at)
       select device from queued where due_at > now() order by 1`,
  ).toEqual([{ device: 'at hour 22' }, { device: 'at hour 5' }]);
});

test('a notification that was seen in the app meanwhile is not pushed', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  await bob.rows`insert into device_tokens (device_id, platform, token) values ('bobs-tablet', 'ios', 'a token of it')`;
  await request(ann, bob);
  await bob.call('mark_all_notifications_as_seen');
  expect(await service.rows('select * from claim_pushes()')).toEqual([]);
});

test('a device that changes hands belongs to its current user', async () => {
  const [ann, bob] = await fixtures.users('Ann', 'Bob');
  const register = (user: TestUser, token: string) =>
    user.rows`insert into device_tokens (user_id, device_id, platform, token) values (${user.id}, 'a-shared-phone', 'ios', ${token})
       on conflict (device_id) do update set token = excluded.token, platform = excluded.platform, user_id = excluded.user_id`;
  await register(ann, 'first token');
  await register(ann, 'second token');
  await register(bob, 'second token');
  expect(await ann.rows('select * from device_tokens')).toEqual([]);
  expect(await bob.rows('select token from device_tokens')).toEqual([{ token: 'second token' }]);
  await ann.call('api_cleanup_device_tokens', { p_device_id: 'a-shared-phone' });
  expect(await bob.rows('select token from device_tokens')).toHaveLength(1);
  await bob.call('api_cleanup_device_tokens', { p_device_id: 'a-shared-phone' });
  expect(await bob.rows('select token from device_tokens')).toEqual([]);
});

test('a user keeps the ten newest devices', async () => {
  const ann = await fixtures.user('Ann');
  const register = (from: number, to: number) =>
    ann.rows`insert into device_tokens (device_id, platform, token)
       select 'anns-phone-' || n, 'ios', 'token of phone ' || n from generate_series(${from}::int, ${to}::int) n`;
  await register(1, 2);
  await register(100, 150);
  const kept = await ann.column('select device_id from device_tokens');
  expect(kept).toHaveLength(10);
  expect(kept).not.toContain('anns-phone-1');
});

test('each type has its row, and a type without one is rejected', async () => {
  const types = await admin.rows<{ type: string; preference: string | null }>(
    'select type, preference from private.notification_types',
  );
  expect(types.map(({ type }) => type).sort()).toEqual(
    await admin.value`select array_agg(k::text order by k::text) from unnest(enum_range(null::notification_type)) k`,
  );
  const columns = await admin.column(
    `select attname from pg_attribute where attrelid = 'notifications_preferences'::regclass`,
  );
  for (const { preference } of types.filter((type) => type.preference !== null))
    expect(columns).toContain(preference);
  const ann = await fixtures.user('Ann');
  const added = admin.rows`with gone as (delete from private.notification_types where type = 'deskWaiting')
     insert into notifications (type, receiver_id) values ('deskWaiting', ${ann.id})`;
  expect(await errorCode(added)).toBe('23503');
});
