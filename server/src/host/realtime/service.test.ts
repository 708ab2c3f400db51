// Tests realtime with the official client over real sockets: delivery of changes across host processes and with different tokens.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import WebSocket from 'ws';
import {
  connectTo,
  createTestDatabase,
  startTestHost,
  type TestHost,
} from '../../../../testing/test-host.ts';
import { openSocket } from '../../../../testing/raw-socket.ts';

const TABLES = `
  create table public.pings (
    id bigint generated always as identity primary key,
    owner uuid not null,
    body text,
    secret text default 'hidden',
    created_at timestamptz not null default now()
  );
  alter table public.pings enable row level security;
  revoke all on public.pings from anon, authenticated;
  grant select (id, owner, body, created_at) on public.pings to authenticated;
  create policy "owners see their own" on public.pings for select to authenticated
    using (owner = (select auth.uid()));
  create table public.news (id bigint primary key, title text, rank int);
  alter table public.news enable row level security;
  grant select on public.news to anon, authenticated;
  create policy "all see news" on public.news for select using (true);
  -- Evaluating this policy waits while a test holds the lock.
  create table public.gated (id bigint primary key);
  alter table public.gated enable row level security;
  grant select on public.gated to authenticated;
  create function public.pass_gate() returns boolean language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(4711); return true; end $$;
  grant execute on function public.pass_gate() to authenticated;
  create policy "all who wait" on public.gated for select using (public.pass_gate());
  alter publication supabase_realtime add table public.pings, public.news, public.gated;
  alter publication supabase_realtime set (publish = 'insert, update, delete');
  create table public.unpublished (id bigint primary key);
`;

const clients: Pick<SupabaseClient, 'removeAllChannels' | 'realtime'>[] = [];

const connectionString = await createTestDatabase();
const client = await connectTo(connectionString);
await client.query(TABLES);
await client.end();
const host = await startTestHost({ DATABASE_URL: connectionString });
const second = await startTestHost({ DATABASE_URL: connectionString });
const ann = await host.user('Ann');
const bob = await host.user('Bob');
afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) {
    await client.removeAllChannels();
    await client.realtime.disconnect();
  }
});

interface Subscriber {
  channel: RealtimeChannel;
  client: SupabaseClient;
  changes: { eventType: string; new: Record<string, unknown>; old: Record<string, unknown> }[];
  system: { status: string; message: string }[];
  states: string[];
}

type Binding = { event?: string; table?: string; filter?: string; schema?: string };

/** Subscribes the official client to a channel, and resolves when it is subscribed. */
async function subscribe(
  on: TestHost,
  token: string | null | (() => Promise<string | null>),
  bindings: Binding[],
  options: { vsn?: string } = {},
): Promise<Subscriber> {
  const accessToken = typeof token === 'function' ? token : () => Promise.resolve(token);
  const client = createClient(on.url, on.tokens.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never, ...options },
    accessToken,
  });
  clients.push(client);
  const received: Subscriber = { client, changes: [], system: [], states: [] } as never;
  received.channel = client.channel('test');
  for (const binding of bindings)
    received.channel.on(
      'postgres_changes' as never,
      { event: '*', schema: 'public', ...binding } as never,
      (change: Subscriber['changes'][0]) => received.changes.push(change),
    );
  received.channel.on('system', {}, (message: Subscriber['system'][0]) =>
    received.system.push(message),
  );
  // The token is set before the join. Otherwise the client would join first and send its token later.
  await client.realtime.setAuth();
  received.channel.subscribe((state) => received.states.push(state));
  await expect.poll(() => received.states).toContain('SUBSCRIBED');
  return received;
}

const ping = async (owner: string, body = 'hello') =>
  (
    await host.sql<{
      id: string;
    }>`insert into public.pings (owner, body) values (${owner}, ${body}) returning id`
  )[0]?.id;

/** Inserts a row and waits for its change. Changes arrive in order, so no earlier change can follow. */
async function fence(received: Subscriber[]): Promise<void> {
  const id = Math.floor(Math.random() * 1e9);
  await host.sql('insert into public.news values ($1, $2)', [id, 'fence']);
  await vi.waitFor(() => {
    for (const { changes } of received)
      expect(changes.some((change) => change.new.id === id)).toBe(true);
  }, 20_000);
}

const ids = ({ changes }: Subscriber) =>
  changes.filter((change) => change.new.owner !== undefined).map((change) => change.new.id);

describe.each(['1.0.0', '2.0.0'])('with serializer %s', (vsn) => {
  test('a change reaches the callers whose policies show the row, in Supabase’s format', async () => {
    const bindings = [{ table: 'pings' }, { table: 'news' }];
    const [a, b] = [
      await subscribe(host, ann.token, bindings, { vsn }),
      await subscribe(host, bob.token, bindings, { vsn }),
    ];
    const id = Number(await ping(ann.id));
    await host.sql('update public.pings set body = $2 where id = $1', [id, 'again']);
    await fence([a, b]);
    expect(ids(a)).toEqual([id, id]);
    expect(ids(b)).toEqual([]);
    expect(a.changes[1]).toEqual({
      schema: 'public',
      table: 'pings',
      commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      eventType: 'UPDATE',
      new: { id, owner: ann.id, body: 'again', created_at: expect.any(String) },
      old: { id },
      errors: null,
    });
    await expect
      .poll(() => a.system)
      .toContainEqual(
        expect.objectContaining({ status: 'ok', message: 'Subscribed to PostgreSQL' }),
      );
  });
});

test('filters and event types select changes', async () => {
  const received = await Promise.all(
    [
      [{ table: 'pings', filter: `owner=eq.${ann.id}`, event: 'INSERT' }],
      [{ table: 'pings', filter: `owner=eq.${bob.id}` }],
      [{ table: 'pings', filter: 'body=in.(yes,"a,b")' }],
      [{ table: 'pings', filter: 'id=gte.0,body=like.y%' }],
      [{ table: 'pings', event: 'UPDATE' }],
      [{ table: '*' }],
    ].map((bindings) => subscribe(host, ann.token, [...bindings, { table: 'news' }])),
  );
  const yes = Number(await ping(ann.id, 'yes'));
  const comma = Number(await ping(ann.id, 'a,b'));
  const no = Number(await ping(ann.id, 'no'));
  await host.sql('update public.pings set body = $2 where id = $1', [no, 'now']);
  await fence(received);
  expect(received.map(ids)).toEqual([
    [yes, comma, no],
    [],
    [yes, comma],
    [yes],
    [no],
    [yes, comma, no, no],
  ]);
});

test('a delete contains only the key', async () => {
  const a = await subscribe(host, ann.token, [{ table: 'pings' }, { table: 'news' }]);
  const id = Number(await ping(ann.id));
  await expect.poll(() => ids(a)).toEqual([id]);
  await host.sql('delete from public.pings where id = $1', [id]);
  await fence([a]);
  expect(a.changes[1]).toMatchObject({ eventType: 'DELETE', new: {}, old: { id } });
});

test('a row larger than a NOTIFY arrives completely and in order', async () => {
  const a = await subscribe(host, ann.token, [{ table: 'pings' }]);
  const bodies = ['one', 'x'.repeat(20_000), 'three', 'ש'.repeat(9000), 'five'];
  for (const body of bodies) await ping(ann.id, body);
  await expect.poll(() => a.changes.map((change) => change.new.body)).toEqual(bodies);
});

test('unsupported subscriptions are rejected with a message: unknown tables, hidden columns, anonymous callers, other features', async () => {
  const rejected = async (token: string | null, binding: Binding) => {
    const received = await subscribe(host, token, [binding]);
    await expect.poll(() => received.system[0]?.status).toBe('error');
    return received.system[0]?.message;
  };
  expect(await rejected(ann.token, { table: 'unpublished' })).toContain('table: unpublished');
  expect(await rejected(ann.token, { table: 'pings', filter: 'secret=eq.hidden' })).toContain(
    'secret',
  );
  expect(await rejected(ann.token, { table: 'pings', filter: 'nonsense' })).toContain('nonsense');
  expect(await rejected(null, { table: 'pings' })).toContain('Unable to subscribe');
  expect(await rejected(ann.token, { schema: 'auth', table: 'users' })).toContain('schema: auth');

  const open = await subscribe(host, ann.token, [{ table: 'news' }]);
  await open.channel.send({ type: 'broadcast', event: 'bark', payload: {} });
  await expect.poll(() => open.system.at(-1)?.message).toContain('postgres_changes only');
  const hidden = open.client.channel('private', { config: { private: true } });
  const state = await new Promise((resolve) => hidden.subscribe(resolve));
  expect(state).toBe('CHANNEL_ERROR');
});

test('a new token on the open socket changes the visible rows', async () => {
  let token = ann.token;
  const received = await subscribe(host, () => Promise.resolve(token), [
    { table: 'pings' },
    { table: 'news' },
  ]);
  const first = Number(await ping(ann.id));
  await fence([received]);
  token = bob.token;
  await received.client.realtime.setAuth();
  const owners = () => received.changes.map((change) => change.new.owner).filter(Boolean);
  await vi.waitFor(async () => {
    await ping(bob.id);
    expect(owners()).toContain(bob.id);
  }, 20_000);
  await ping(ann.id);
  await fence([received]);
  expect(ids(received)[0]).toBe(first);
  expect(owners().filter((owner) => owner === ann.id)).toHaveLength(1);
});

test('a channel closes when its token expires or is replaced by an invalid one', async () => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const short = await host.tokens.sign({ role: 'authenticated', sub: ann.id, exp });
  // With a fake clock, the token is valid when the channel joins, however slow the machine is.
  vi.setSystemTime(exp * 1000 - 200);
  const expired = await subscribe(host, short, [{ table: 'pings' }]);
  await expect.poll(() => expired.states).toContain('CLOSED');
  expect(expired.system.at(-1)).toMatchObject({
    status: 'error',
    message: 'Access token has expired',
  });

  vi.setSystemTime(exp * 1000);
  const late = host.client({ token: short });
  clients.push(late);
  await late.realtime.setAuth();
  const state = await new Promise((resolve) => {
    late.channel('late').subscribe((status, error) => resolve([status, error?.message]));
  });
  expect(state).toEqual(['CHANNEL_ERROR', 'InvalidJWTToken: Token has expired']);
  vi.useRealTimers();

  const forged = await subscribe(host, ann.token, [{ table: 'pings' }]);
  await forged.client.realtime.setAuth('a.b.c');
  await expect.poll(() => forged.states).toContain('CLOSED');
});

test('after the database connection breaks, clients join again and miss nothing after that', async () => {
  const received = await subscribe(host, ann.token, [{ table: 'pings' }]);
  await host.sql`select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query ilike 'listen%'`;
  await expect.poll(() => received.states.filter((s) => s === 'SUBSCRIBED')).toHaveLength(2);
  const id = Number(await ping(ann.id));
  await expect.poll(() => ids(received)).toEqual([id]);
});

test('a change whose visibility could not be checked makes clients join again, like a missed change', async () => {
  const received = await subscribe(host, ann.token, [{ table: 'gated' }]);
  const gate = await connectTo(host.connectionString);
  await gate.query('select pg_advisory_lock(4711)');
  await host.sql('insert into public.gated values (6000000003)');
  // Terminates the connections of the visibility query and of its retry, but not the connection that listens for changes.
  const ended: number[] = [];
  for (const count of [1, 2])
    await vi.waitFor(async () => {
      const { rows } = await gate.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_locks
         where locktype = 'advisory' and objid = 4711 and not granted and pid <> all ($1)
           and database = (select oid from pg_database where datname = current_database())`,
        [ended],
      );
      ended.push(...rows.map(({ pid }) => pid));
      expect(ended).toHaveLength(count);
    }, 20_000);
  await expect.poll(() => received.states.filter((s) => s === 'SUBSCRIBED')).toHaveLength(2);
});

test('a burst of changes in one transaction arrives completely and in order', async () => {
  const received = await subscribe(host, ann.token, [{ table: 'news', filter: 'title=eq.burst' }]);
  await host.sql`insert into public.news select i, 'burst' from generate_series(5000000001, 5000000025) i`;
  await expect.poll(() => received.changes.length).toBeGreaterThanOrEqual(10);
  await expect.poll(() => received.changes).toHaveLength(25);
  expect(received.changes.map((change) => Number(change.new.id) - 5_000_000_000)).toEqual(
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
});

test('a change with a slow visibility check is delivered before later changes, which are checked meanwhile', async () => {
  const received = await subscribe(host, ann.token, [{ table: 'gated' }, { table: 'news' }]);
  const gate = await connectTo(host.connectionString);
  try {
    await gate.query('select pg_advisory_lock(4711)');
    await host.sql('insert into public.gated values (6000000001)');
    await vi.waitFor(async () => {
      const { rowCount } = await gate.query(
        `select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(rowCount).toBe(1);
    }, 20_000);
    await host.sql(`insert into public.news values (6000000002, 'later')`);
    // The other host has no earlier change to check, so it delivers the later row now.
    const others = await subscribe(second, ann.token, [{ table: 'news' }]);
    await fence([others]);
    expect(received.changes).toEqual([]);
  } finally {
    await gate.end();
  }
  await expect.poll(() => received.changes.length).toBeGreaterThanOrEqual(2);
  expect(received.changes.slice(0, 2).map((change) => Number(change.new.id))).toEqual([
    6_000_000_001, 6_000_000_002,
  ]);
});

const bare = (query = `apikey=${host.tokens.anonKey}&vsn=2.0.0`) => openSocket(host.url, query);

test('sockets without a valid key are rejected, and hostile messages close only their own socket', async () => {
  expect((await bare('vsn=2.0.0')).status).toBe(401);
  expect((await bare('apikey=a.b.c&vsn=2.0.0')).status).toBe(401);
  expect((await bare(`apikey=${host.tokens.anonKey}&vsn=9`)).status).toBe(400);
  const messages = [
    'no',
    '{}',
    '[1,2,3,4,5]',
    '[null,null,"a"]',
    Buffer.from([3, 255, 255]),
    'x'.repeat(70_000),
  ];
  for (const message of messages) {
    const { ws } = await bare();
    const closed = new Promise((resolve) => ws.on('close', resolve));
    ws.send(message);
    expect([1008, 1009]).toContain(await closed);
  }
  const { ws, received: responses } = await bare();
  ws.send('["1","1","realtime:x","phx_join",{"config":{"postgres_changes":"all"}}]');
  ws.send('[null,"2","realtime:y","phx_leave",{}]');
  ws.send('[null,"3","phoenix","heartbeat",{}]');
  await expect.poll(() => responses).toHaveLength(3);
  expect(responses).toMatchObject([
    ['1', '1', 'realtime:x', 'phx_reply', { status: 'error' }],
    [null, '2', 'realtime:y', 'phx_reply', { status: 'error' }],
    [null, '3', 'phoenix', 'phx_reply', { status: 'ok' }],
  ]);
  ws.terminate();
  // With a fake clock, all messages count as sent within one second, however slow the machine is.
  vi.useFakeTimers({ toFake: ['performance'] });
  const { ws: hasty } = await bare();
  for (let i = 0; i < 300; i += 1) hasty.send('[null,"3","phoenix","heartbeat",{}]');
  expect(await new Promise((resolve) => hasty.on('close', resolve))).toBe(1008);
});

test('a socket that does not read is closed instead of buffering without limit', async () => {
  const { ws, received } = await bare();
  ws.send(
    '["1","1","realtime:x","phx_join",{"config":{"postgres_changes":[{"event":"*","schema":"public","table":"news"}]}}]',
  );
  await expect.poll(() => JSON.stringify(received)).toContain('Subscribed to');
  ws.pause();
  await host.sql(
    `insert into public.news select -n, repeat('x', 2000000) from generate_series(1, 12) n`,
  );
  await vi.waitFor(
    () => {
      if (ws.readyState === ws.OPEN) ws.send('[null,"3","phoenix","heartbeat",{}]');
      expect(ws.readyState).not.toBe(ws.OPEN);
    },
    { timeout: 20_000, interval: 100 },
  );
});
