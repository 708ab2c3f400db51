// Tests the app's notification channel: a notification reaches only its receiver, also on another host and after a restart.
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createClient } from '@supabase/supabase-js';
import WebSocket from 'ws';
import { atEnd } from '../../../../testing/at-end.ts';
import { startTcpProxy } from '../../../../testing/tcp-proxy.ts';
import { startTestHost, type TestHost } from '../../../../testing/test-host.ts';

type Row = Record<string, unknown>;

const first = await startTestHost();
const second = await startTestHost({ DATABASE_URL: first.connectionString });

const users = async () =>
  [await first.user('Ann'), await first.user('Bob'), await first.user('Carl')] as const;

/** Subscribes like the app and collects the rows of received updates. */
async function listen(
  on: Pick<TestHost, 'url' | 'tokens'>,
  token: string,
  filter?: string,
  event = 'UPDATE',
) {
  const client = createClient(on.url, on.tokens.anonKey, {
    realtime: { transport: WebSocket as never, params: { eventsPerSecond: 10 } },
    accessToken: () => Promise.resolve(token),
  });
  atEnd(() => client.realtime.disconnect());
  await client.realtime.setAuth();
  const received = { rows: [] as Row[], kinds: [] as string[], states: [] as string[] };
  client
    .channel('notifications')
    .on(
      'postgres_changes' as never,
      { event, schema: 'public', table: 'notifications', ...(filter && { filter }) } as never,
      (change: { new: Row; eventType: string }) => {
        received.rows.push(change.new);
        received.kinds.push(change.eventType);
      },
    )
    .subscribe((state) => received.states.push(state));
  await expect.poll(() => received.states).toContain('SUBSCRIBED');
  return received;
}

test('a friend request reaches only its receiver, on the other host, with its text', async () => {
  const [ann, bob, carl] = await users();
  const bobs = await listen(second, bob.token, `receiver_id=eq.${bob.id}`);
  const others = [await listen(first, ann.token), await listen(second, carl.token)];
  const { error } = await ann.client.rpc('send_friend_request', { p_user_id: bob.id });
  expect(error).toBeNull();
  await expect.poll(() => bobs.rows).toHaveLength(1);
  expect(bobs.rows[0]).toMatchObject({
    type: 'friendRequest',
    sender_id: ann.id,
    receiver_id: bob.id,
    is_ready: true,
    seen_at: null,
    app_message: expect.stringContaining('Ann'),
  });
  await bob.client.rpc('mark_all_notifications_as_seen');
  await expect.poll(() => bobs.rows).toHaveLength(2);
  expect(bobs.rows[1]?.seen_at).not.toBeNull();
  // Notifications arrive in order, so once this later one has arrived, no earlier one can follow.
  const dana = await first.user('Dana');
  for (const other of [ann, carl])
    await dana.client.rpc('send_friend_request', { p_user_id: other.id });
  for (const { rows } of others)
    await expect.poll(() => rows.map((row) => row.sender_id)).toEqual([dana.id]);
});

test('declined and blocked users receive nothing about it, whatever they listen to', async () => {
  const [ann, bob, carl] = await users();
  const received = await listen(first, ann.token, undefined, '*');
  const send = (to: { id: string }) => ann.client.rpc('send_friend_request', { p_user_id: to.id });
  await send(bob);
  await send(carl);
  await bob.client.rpc('decline_friend_request', { p_user_id: ann.id });
  await carl.client.rpc('block_user', { p_user_id: ann.id });
  // Notifications arrive in order, so once this later one has arrived, no earlier one can follow.
  const dana = await first.user('Dana');
  await dana.client.rpc('send_friend_request', { p_user_id: ann.id });
  await expect.poll(() => received.kinds).toContain('UPDATE');
  expect(received.kinds).not.toContain('DELETE');
  expect(received.rows.every((row) => row.sender_id === dana.id)).toBe(true);
});

test('a client reconnects automatically when its host restarts', async () => {
  const [ann, bob] = [await first.user('Ann'), await first.user('Bob')];
  const environment = { DATABASE_URL: first.connectionString };
  const before = await startTestHost(environment);
  let behind: TestHost | null = before;
  // The proxy reserves the port, because another process could take a port that was released.
  const line = await startTcpProxy(
    { port: 0, host: '127.0.0.1' },
    () => behind && { port: Number(new URL(behind.url).port), host: '127.0.0.1' },
  );
  const url = `http://127.0.0.1:${(line.address as AddressInfo).port}`;
  const { tokens } = before;
  const received = await listen({ url, tokens }, bob.token, `receiver_id=eq.${bob.id}`);
  // The new host starts before the old one stops. Otherwise the client would wait longer and longer between its attempts to
  // reconnect.
  const after = await startTestHost(environment);
  behind = null;
  await before.close();
  behind = after;
  await expect
    .poll(() => received.states.filter((state) => state === 'SUBSCRIBED'))
    .toHaveLength(2);
  await ann.client.rpc('send_friend_request', { p_user_id: bob.id });
  await expect.poll(() => received.rows).toHaveLength(1);
  await line.cut();
});
