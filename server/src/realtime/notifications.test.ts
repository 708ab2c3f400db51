// The product's one channel: a notification reaches its receiver, on another host, after a restart, and nobody else.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import WebSocket from 'ws';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

type Row = Record<string, unknown>;

let first: TestHost;
let second: TestHost;
const clients: SupabaseClient[] = [];

beforeAll(async () => {
  first = await startTestHost();
  second = await startTestHost({ DATABASE_URL: first.connectionString });
});
afterAll(async () => {
  for (const client of clients) await client.realtime.disconnect();
  await second.close();
  await first.close();
});

/** Listens as the app does; the rows of the updates that arrive. */
async function listen(on: TestHost, token: string, filter?: string, event = 'UPDATE') {
  const client = createClient(on.url, on.tokens.anonKey, {
    realtime: { transport: WebSocket as never, params: { eventsPerSecond: 10 } },
    accessToken: () => Promise.resolve(token),
  });
  clients.push(client);
  await client.realtime.setAuth();
  const heard: { rows: Row[]; kinds: string[]; states: string[] } = {
    rows: [],
    kinds: [],
    states: [],
  };
  client
    .channel('notifications')
    .on(
      'postgres_changes',
      {
        event: event as 'UPDATE',
        schema: 'public',
        table: 'notifications',
        ...(filter ? { filter } : {}),
      },
      (change) => {
        heard.rows.push(change.new);
        heard.kinds.push(change.eventType);
      },
    )
    .subscribe((state) => heard.states.push(state));
  await vi.waitFor(() => expect(heard.states).toContain('SUBSCRIBED'), 5000);
  return heard;
}

test('a friend request reaches its receiver on the other host, ready and in words, and nobody else', async () => {
  const [ann, bob, carl] = [
    await first.user('Ann'),
    await first.user('Bob'),
    await first.user('Carl'),
  ];
  const bobs = await listen(second, bob.token, `receiver_id=eq.${bob.id}`);
  const others = [await listen(first, ann.token), await listen(second, carl.token)];
  const { error } = await ann.client.rpc('send_friend_request', { p_user_id: bob.id });
  expect(error).toBeNull();
  await vi.waitFor(() => expect(bobs.rows).toHaveLength(1), 5000);
  expect(bobs.rows[0]).toMatchObject({
    type: 'friendRequest',
    sender_id: ann.id,
    receiver_id: bob.id,
    is_ready: true,
    seen_at: null,
    app_message: expect.stringContaining('Ann'),
  });
  await bob.client.rpc('mark_all_notifications_as_seen');
  await vi.waitFor(() => expect(bobs.rows).toHaveLength(2), 5000);
  expect(bobs.rows[1]?.seen_at).not.toBeNull();
  for (const { rows } of others) expect(rows).toEqual([]);
});

test('who was declined or blocked hears nothing of it, whatever they listen to', async () => {
  const [ann, bob, carl] = [
    await first.user('Ann'),
    await first.user('Bob'),
    await first.user('Carl'),
  ];
  const heard = await listen(first, ann.token, undefined, '*');
  const ask = (to: { id: string }) => ann.client.rpc('send_friend_request', { p_user_id: to.id });
  await ask(bob);
  await ask(carl);
  await bob.client.rpc('decline_friend_request', { p_user_id: ann.id });
  await carl.client.rpc('block_user', { p_user_id: ann.id });
  // What comes after has arrived, so what came before has, or never will.
  const dana = await first.user('Dana');
  await dana.client.rpc('send_friend_request', { p_user_id: ann.id });
  await vi.waitFor(() => expect(heard.kinds).toContain('UPDATE'), 5000);
  expect(heard.kinds).not.toContain('DELETE');
  expect(heard.rows.every((row) => row.sender_id === dana.id)).toBe(true);
});

test('a client comes back by itself when its host restarts', async () => {
  const [ann, bob] = [await first.user('Ann'), await first.user('Bob')];
  const environment = { DATABASE_URL: first.connectionString };
  const before = await startTestHost(environment);
  const heard = await listen(before, bob.token, `receiver_id=eq.${bob.id}`);
  await before.close();
  const after = await startTestHost({ ...environment, PORT: new URL(before.url).port });
  await vi.waitFor(
    () => expect(heard.states.filter((state) => state === 'SUBSCRIBED')).toHaveLength(2),
    15_000,
  );
  await ann.client.rpc('send_friend_request', { p_user_id: bob.id });
  await vi.waitFor(() => expect(heard.rows).toHaveLength(1), 5000);
  await after.close();
});
