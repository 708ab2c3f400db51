// Tests the limits of one client: messages, sockets, lookups of tables, and revoked sessions.
import { request } from 'node:http';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type WebSocket from 'ws';
import { createAccess } from '#/host/realtime/access.ts';
import { openSocket, type Frame } from '../../../../testing/raw-socket.ts';
import { startTestHost } from '../../../../testing/test-host.ts';

const sockets: WebSocket[] = [];
const host = await startTestHost({ TRUST_PROXY: 'true', AUTH_RATE_LIMIT: '1000' });
afterEach(() => sockets.splice(0).forEach((ws) => ws.terminate()));

async function open(ip: string) {
  const opened = await openSocket(host.url, `apikey=${host.tokens.anonKey}&vsn=2.0.0`, {
    'x-forwarded-for': `198.51.100.7, ${ip}`,
  });
  sockets.push(opened.ws);
  return opened;
}

async function join(
  { ws, received }: { ws: WebSocket; received: Frame[] },
  topic: string,
  changes: object[],
  token?: string,
  others: object = {},
): Promise<{ status?: string; response?: { reason?: string; postgres_changes?: object[] } }> {
  const ref = String(received.length + 1);
  const payload = { config: { postgres_changes: changes, ...others }, access_token: token };
  ws.send(JSON.stringify([ref, ref, `realtime:${topic}`, 'phx_join', payload]));
  const response = await vi.waitFor(() => {
    const found = received.find(
      ([, to, where, event]) =>
        to === ref && where === `realtime:${topic}` && event === 'phx_reply',
    );
    expect(found).toBeDefined();
    return found;
  }, 20_000);
  return response?.[4] ?? {};
}

test('only the bindings of a join request are stored', async () => {
  const socket = await open('203.0.113.1');
  const binding = { event: 'UPDATE', schema: 'public', table: 'notifications', filter: 'id=eq.x' };
  const { response } = await join(socket, 'a', [
    { ...binding, story: 'x'.repeat(20_000) },
    { event: 'UPDATE', table: 'x'.repeat(20_000) },
  ]);
  expect(response?.postgres_changes).toEqual([
    { id: expect.any(Number), ...binding },
    { id: expect.any(Number) },
  ]);
});

test('an unsupported feature is rejected at the join, with the reason', async () => {
  const socket = await open('203.0.113.5');
  const selected = { event: '*', table: 'parks', select: 'id' };
  const { status, response } = await join(socket, 'a', [selected]);
  expect([status, response?.reason]).toEqual(['error', expect.stringContaining('select')]);
  const present = await join(socket, 'b', [], undefined, { presence: { enabled: true } });
  expect([present.status, present.response?.reason]).toEqual([
    'error',
    expect.stringContaining('presence'),
  ]);
});

test('the bindings of a socket are limited in total, across its channels', async () => {
  const socket = await open('203.0.113.2');
  const long = { event: '*', table: 'notifications', filter: `id=eq.${'x'.repeat(4000)}` };
  const responses: (string | undefined)[] = [];
  for (let i = 0; i < 5; i += 1) {
    const { status } = await join(
      socket,
      `c${i}`,
      Array.from({ length: 4 }, () => long),
    );
    responses.push(status);
  }
  expect(responses).toEqual(['ok', 'ok', 'ok', 'ok', 'error']);
  // Joining a channel again does not count its bindings twice.
  expect((await join(socket, 'c1', [long])).status).toBe('ok');
});

test('a socket that sends more bytes than all its channels need is closed', async () => {
  const { ws } = await open('203.0.113.4');
  const closed = new Promise<number>((resolve) => ws.on('close', resolve));
  const filter = `id=eq.${'x'.repeat(4000)}`;
  const changes = Array.from({ length: 15 }, () => ({ event: '*', table: 'parks', filter }));
  const payload = { config: { postgres_changes: changes } };
  for (let n = 0; n < 10; n += 1)
    ws.send(JSON.stringify([`${n}`, `${n}`, `realtime:${n}`, 'phx_join', payload]));
  expect(await closed).toBe(1008);
});

test('an IP has a maximum number of sockets; an IPv6 network counts as one IP, and closing a socket releases its place', async () => {
  const inNetwork = (end: number) => open(`2001:db8:1:2::${end.toString(16)}`);
  const first = await Promise.all(Array.from({ length: 200 }, (_, index) => inNetwork(index + 1)));
  expect(first.map(({ status }) => status).filter((status) => status !== 101)).toEqual([]);
  expect((await inNetwork(999)).status).toBe(429);
  expect((await open('2001:db8:1:3::1')).status).toBe(101);
  first[0]?.ws.terminate();
  await expect.poll(async () => (await inNetwork(1000)).status).toBe(101);
});

test('a user has a maximum number of sockets, across IPs', async () => {
  const ann = await host.user('Ann');
  const joined: (string | undefined)[] = [];
  for (let i = 0; i < 21; i += 1) {
    const { status } = await join(await open(`203.0.113.${i + 10}`), 'a', [], ann.token);
    joined.push(status);
  }
  expect(joined.lastIndexOf('ok')).toBe(19);
  expect(joined[20]).toBe('error');
  const bob = await host.user('Bob');
  expect((await join(await open('203.0.113.99'), 'a', [], bob.token)).status).toBe('ok');
});

test('requests for unknown tables cause at most one lookup in half a minute', async () => {
  let lookups = 0;
  const query = (text: string) => {
    if (text.includes('attach_triggers')) lookups += 1;
    return host.database.pool.query(text);
  };
  const access = createAccess({ ...host.database, pool: { query } as never });
  await access.reload();
  let clock = performance.now();
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  onTestFinished(() => now.mockRestore());
  for (let second = 0; second < 20; second += 1) {
    clock += 1000;
    await access.table('public', `unknown_${second}`);
  }
  expect(lookups).toBe(1);
  clock += 15_000;
  await access.table('public', 'unknown');
  expect(lookups).toBe(2);
});

test('the function that checks visibility is created once, and again only after the table changed', async () => {
  const { pool } = host.database;
  const attach = () => pool.query('select realtime.attach_triggers()');
  const made = async () => {
    const { rows } = await pool.query<{ version: string; body: string }>(
      `select xmin::text as version, prosrc as body from pg_proc where proname = 'public.notifications'`,
    );
    return rows[0];
  };
  const before = await made();
  await attach();
  expect(await made()).toEqual(before);
  await pool.query(
    `update pg_proc set prosrc = 'begin end' where proname = 'public.notifications'`,
  );
  await attach();
  expect(await made()).toMatchObject({ body: before?.body });
});

test('a failed handshake releases its place', async () => {
  const url = `${host.url}/realtime/v1/websocket?apikey=${host.tokens.anonKey}&vsn=2.0.0`;
  const ip = '203.0.113.200';
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'x-forwarded-for': ip };
  const half = () =>
    new Promise<void>((resolve) => {
      const sent = request(url, { headers }, () => resolve());
      sent.on('error', () => resolve());
      sent.end();
    });
  for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 100 }, half));
  await expect.poll(async () => (await open(ip)).status).toBe(101);
});
