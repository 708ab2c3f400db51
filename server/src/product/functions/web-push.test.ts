// Tests web pushes: encrypted for one browser, signed by the site, sent at the right time, and never to the operator's internal
// network.
import { lookup } from 'node:dns';
import { isIP, Socket } from 'node:net';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  createWebPush,
  isPublicAddress,
} from '../../../../supabase/functions/send-push/web-push.ts';
import type { Json } from '../../../../shared/database.types.ts';
import { atEnd } from '../../../../testing/at-end.ts';
import { words } from '../../../../testing/seeded.ts';
import { startTestHost, type Client } from '../../../../testing/test-host.ts';
import { startWebPushService } from '../../../../testing/web-push-service.ts';

vi.mock('node:dns', async (original) => {
  const actual = await original<{ lookup: typeof lookup }>();
  return { ...actual, lookup: vi.fn(actual.lookup) };
});

const service = await startWebPushService();
atEnd(service.close);
const host = await startTestHost({ ...service.settings, SITE_URL: 'https://parks.example.org' });
beforeEach(() => {
  service.requests.length = 0;
  service.respond = () => ({ status: 201, body: {} });
});

const register = ({ client }: { client: Client }, token: string, timeZone?: string) =>
  client.rpc('subscribe_to_push', {
    p_subscription: JSON.parse(token) as Json,
    ...(timeZone && { p_time_zone: timeZone }),
  });

const subscriptionOf = ({ token }: { token: string }) =>
  JSON.parse(token) as { endpoint: string; keys: { p256dh: string; auth: string } };

/** Creates a user with a subscribed browser who has just received a friend request. */
async function requestedUser({ at, timeZone }: { at?: string; timeZone?: string } = {}) {
  const [from, to] = [await host.user('Dana'), await host.user('Noa')];
  const browser = service.browser(at);
  expect((await register(to, browser.token, timeZone)).error).toBeNull();
  const request = async (who = from) =>
    expect((await who.client.rpc('send_friend_request', { p_user_id: to.id })).error).toBeNull();
  return { from, to, browser, request };
}

const send = () => host.functions.run('send-push', { type: 'send-web-push' });
const jobsFor = ({ id }: { id: string }) =>
  host.sql<{ waits: boolean }>(
    `select due_at > now() as waits from private.jobs where type = 'send-web-push' and user_id = $1`,
    [id],
  );

test('a web push is encrypted for one browser, signed by the site, and contains the notification', async () => {
  const { to, browser, request } = await requestedUser();
  await host.sql(`update public.users set language = 'he' where id = $1`, [to.id]);
  await request();
  await Promise.all([send(), send()]);
  expect(await browser.received()).toEqual([
    {
      headers: {
        ttl: expect.stringMatching(/^8\d{4}$/) as string,
        urgency: 'normal',
        topic: expect.stringMatching(/^[\w-]{32}$/) as string,
      },
      signedBy: expect.objectContaining({ sub: 'https://parks.example.org' }) as object,
      message: {
        web_push: 8030,
        app_badge: 1,
        notification: {
          title: 'בקשת חברות חדשה',
          body: expect.stringContaining('Dana') as string,
          navigate: 'https://parks.example.org/notifications',
          lang: 'he',
          dir: 'rtl',
          tag: expect.any(String) as string,
        },
      },
    },
  ]);
  expect(await jobsFor(to)).toEqual([]);
  const config = (await (await fetch(`${host.url}/config.json`)).json()) as { pushKey: string };
  expect(Buffer.from(config.pushKey, 'base64url')).toHaveLength(65);
});

test.each([
  [404, 0, 0],
  [410, 0, 0],
  // The push service rejects a subscription that was created with an earlier key of the site.
  [403, 0, 0],
  [400, 1, 1],
  [503, 1, 1],
])('after status %i, %i browsers and %i jobs are left', async (status, browsers, left) => {
  const { to, request } = await requestedUser();
  await request();
  service.respond = () => ({ status, body: {} });
  await send();
  const subscribed =
    await host.sql`select from private.push_subscriptions where user_id = ${to.id}`;
  const jobs = await host.sql`delete from private.jobs where user_id = ${to.id} returning id`;
  expect([subscribed.length, jobs.length]).toEqual([browsers, left]);
});

test('a service that does not respond does not delay others', async () => {
  const [slow, quick] = [await requestedUser({ at: 'slow.example.org' }), await requestedUser()];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  service.respond = async ({ url }) => {
    if (url.pathname.startsWith('/slow')) await held;
    return { status: 201, body: {} };
  };
  await slow.request();
  const first = send();
  await expect.poll(() => service.requests).toHaveLength(1);
  await quick.request();
  await send();
  // The quick push arrives while the slow one is delayed. Either run may have sent it.
  await expect.poll(quick.browser.received).toHaveLength(1);
  release();
  await first;
});

test('an invalid key and an invalid Retry-After header do not delay other pushes', async () => {
  const [bent, odd, quick] = [
    await requestedUser(),
    await requestedUser({ at: 'odd.example.org' }),
    await requestedUser(),
  ];
  const { endpoint, keys } = subscriptionOf(bent.browser);
  const token = JSON.stringify({ endpoint, keys: { ...keys, p256dh: 'B'.repeat(87) } });
  expect((await register(bent.to, token)).error).toBeNull();
  service.respond = ({ url }) =>
    url.pathname.startsWith('/odd')
      ? { status: 429, body: {}, headers: { 'retry-after': '1e30' } }
      : { status: 201, body: {} };
  for (const one of [bent, odd, quick]) await one.request();
  expect(await send()).toMatchObject({ sent: 1, dead_token: 1, retry: 1 });
  expect(await jobsFor(odd.to)).toEqual([{ waits: true }]);
});

test("a web push waits during the device's quiet hours, and then contains only what is still true", async () => {
  const { to, browser, request } = await requestedUser({ timeZone: 'UTC' });
  await host.sql`insert into public.notifications_preferences (user_id, quiet_from, quiet_to)
     select ${to.id}, hour, (hour + 2) % 24 from extract(hour from now() at time zone 'UTC') hour`;
  await request();
  await send();
  expect(await jobsFor(to)).toEqual([{ waits: true }]);
  const morning = () =>
    host.sql(`update private.jobs set due_at = now() where type = 'send-web-push'`);
  await host.sql`update public.notifications set created_at = now() - interval '25 hours' where receiver_id = ${to.id}`;
  await morning();
  await send();
  expect(await browser.received()).toEqual([]);
  expect(await jobsFor(to)).toEqual([]);

  // A hazard at the park where the user is now is pushed immediately.
  const park_id = await host.park();
  const [{ id: report_id } = { id: '' }] = await host.sql<{
    id: string;
  }>`insert into private.live_reports (park_id, hazard, expires_at, verified_at)
     values (${park_id}, 'glass', now() + interval '1 day', now()) returning id`;
  await host.sql`select private.notify('hazard', null, ${to.id}, ${{ park_id, hazard: 'poison' }})`;
  expect(await jobsFor(to)).toEqual([{ waits: true }]);
  await host.sql(`delete from private.jobs where type = 'send-web-push'`);
  expect((await to.client.rpc('check_in', { p_park_id: park_id })).error).toBeNull();
  await host.sql`select private.notify('hazard', null, ${to.id}, ${{ park_id, report_id, hazard: 'glass' }})`;
  await send();
  const [push] = await browser.received();
  expect(push?.headers.urgency).toBe('high');
  expect(Number(push?.headers.ttl)).toBeLessThanOrEqual(7200);
  expect(push?.message.notification.navigate).toBe(`https://parks.example.org/parks/${park_id}`);
});

test('only a browser with a push service on the internet can be registered', async () => {
  const user = await host.user('Noa');
  const { keys } = subscriptionOf(service.browser());
  for (const endpoint of [
    'http://push.example.org/1',
    'https://push.example.org:8443/1',
    'https://127.0.0.1/1',
    'https://[::1]/1',
    'https://localhost/1',
    'https://user@push.example.org/1',
    'https://push.example.org/א',
    `https://push.example.org/${'x'.repeat(2000)}`,
  ])
    expect((await register(user, JSON.stringify({ endpoint, keys }))).error?.code).toBe('23514');
  expect((await register(user, '{}')).error?.code).toBe('23502');
  expect((await register(user, service.browser().token, 'Mars/Base')).error?.code).toBe('22023');
  expect((await register(user, service.browser().token, 'Asia/Jerusalem')).error).toBeNull();
});

test('a browser belongs to its last user, at most ten per user, until the session ends or half a year has passed', async () => {
  const [bob, client] = [await host.user('Bob'), host.client()];
  const { data } = await client.auth.signUp({
    email: 'ann@example.test',
    password: 'a long enough password',
    options: { data: { full_name: 'Ann', age_confirmed: true } },
  });
  const ann = { id: data.user?.id ?? '', client };
  const subscribed = ({ id }: { id: string }) =>
    host.sql<{ endpoint: string }>(
      'select endpoint from private.push_subscriptions where user_id = $1 order by updated_at',
      [id],
    );
  const browsers = Array.from({ length: 12 }, () => service.browser().token);
  for (const token of browsers) expect((await register(ann, token)).error).toBeNull();
  const kept = await subscribed(ann);
  const endpoints = browsers.map((token) => ({ endpoint: subscriptionOf({ token }).endpoint }));
  expect(kept).toEqual(endpoints.slice(2));
  const [shared = ''] = browsers.slice(-1);
  expect((await register(bob, shared)).error).toBeNull();
  expect([await subscribed(ann), await subscribed(bob)]).toEqual([kept.slice(0, 9), kept.slice(9)]);
  await host.sql`update private.push_subscriptions set updated_at = now() - interval '181 days' where endpoint = ${kept[0]?.endpoint}`;
  await host.sql('select private.reduce_history()');
  expect(await subscribed(ann)).toEqual(kept.slice(1, 9));
  await client.auth.signOut();
  expect([await subscribed(ann), await subscribed(bob)]).toEqual([[], kept.slice(9)]);
});

const PUBLIC = '8.8.8.8 172.32.0.1 2606:4700::1111';
const OTHERS = `10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.31.255.255 192.168.1.1 0.0.0.0 224.0.0.1 ::1
  ::ffff:8.8.8.8 fd00::1 fe80::1 64:ff9b::a00:1 2002:7f00:1::`;

test('only addresses on the public internet are recognised as public', () => {
  const all = words(`${PUBLIC} ${OTHERS}`);
  expect(all.filter(isPublicAddress)).toEqual(words(PUBLIC));
});

test('a name that resolves to this machine and another port are never contacted', async () => {
  const sender = createWebPush(service.settings.VAPID_KEY, 'https://parks.example.org');
  const { keys } = subscriptionOf(service.browser());
  const message = { title: '', body: '', language: 'en', topic: 'a', url: '' } as const;
  const push = { ...message, ...keys, seconds: 60, urgency: 'normal' as const, unseen: 0 };
  for (const name of ['localhost', '127.0.0.1', '[::1]', 'a.invalid:8443']) {
    const { result } = await sender.send({ ...push, token: `https://${name}/1` });
    expect(result, name).toBe('dead_token');
  }
});

/** A public address that no host has, so that no connection leaves this machine. */
const UNASSIGNED = '2fff:ffff::1';

test.each<[what: string, answers: string[][], tried: string[]]>([
  ['public, then loopback', [[UNASSIGNED], ['127.0.0.1']], [UNASSIGNED]],
  ['loopback', [['127.0.0.1']], []],
  ['loopback and public', [['127.0.0.1', UNASSIGNED]], []],
  ['public and mapped loopback', [[UNASSIGNED, '::ffff:127.0.0.1']], []],
])(
  'a push connects only to the address that was checked, if the name resolves to: %s',
  async (_what, answers, tried) => {
    const connections: string[] = [];
    const { connect } = Socket.prototype;
    const watched = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
      this: Socket,
      ...options
    ) {
      this.on('connectionAttempt', (address: string) => connections.push(address));
      return connect.apply(this, options);
    });
    const resolve = (_name: string, _options: object, done: (...result: unknown[]) => void) => {
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      done(
        null,
        answer.map((address) => ({ address, family: isIP(address) })),
      );
    };
    vi.mocked(lookup).mockImplementation(resolve as unknown as typeof lookup);
    const sender = createWebPush(service.settings.VAPID_KEY, 'https://parks.example.org');
    const { keys } = subscriptionOf(service.browser());
    const message = { title: '', body: '', language: 'en', topic: 'a', url: '' } as const;
    const push = { ...message, ...keys, seconds: 60, urgency: 'normal' as const, unseen: 0 };
    try {
      const { result } = await sender.send({ ...push, token: 'https://rebinding.test/1' });
      expect(result).toBe(tried.length > 0 ? 'retry' : 'dead_token');
    } finally {
      watched.mockRestore();
      vi.mocked(lookup).mockReset();
    }
    expect(connections).toEqual(tried);
  },
);
