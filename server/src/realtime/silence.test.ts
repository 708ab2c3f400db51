// What ends by itself: a socket that has gone silent (a phone that left the network never says goodbye), and what a
// session that is over listened to.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createLog } from '#/lib/log.ts';
import { createRealtimeService, type RealtimeService } from '#/realtime/service.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const HEARTBEAT = '[null,"1","phoenix","heartbeat",{}]';

let host: TestHost;
let service: RealtimeService;
const server = createServer();

beforeAll(async () => {
  host = await startTestHost();
  const { database, tokens } = host;
  const log = createLog('silent');
  service = await createRealtimeService(
    { database, tokens, log, trustProxy: false },
    { most: 1000, look: 25 },
  );
  server.on('upgrade', (request, socket, head) => service.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await service.close();
  server.close();
  await host.close();
});

async function open(): Promise<WebSocket> {
  const { port } = server.address() as AddressInfo;
  const ws = new WebSocket(
    `ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${host.tokens.anonKey}&vsn=2.0.0`,
  );
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  return ws;
}

test('a silent socket is closed, one that sends its heartbeats is not', async () => {
  const [silent, chatty] = await Promise.all([open(), open()]);
  const beats = setInterval(() => chatty.send(HEARTBEAT), 25);
  try {
    // It listens, but a heartbeat long ago does not keep it.
    silent.send(HEARTBEAT);
    await vi.waitFor(() => expect(silent.readyState).toBe(WebSocket.CLOSED), 20_000);
    expect(chatty.readyState).toBe(WebSocket.OPEN);
  } finally {
    clearInterval(beats);
    chatty.terminate();
  }
});

test('a channel ends with the session whose token it carries, and only that one', async () => {
  const session = async () => {
    const client = host.client();
    await client.auth.signUp({ email: `${randomUUID()}@example.test`, password: 'correct horse' });
    return { client, token: (await client.auth.getSession()).data.session?.access_token };
  };
  const [leaving, staying] = [await session(), await session()];
  const hear = async (token: string | undefined) => {
    const ws = await open();
    const events: string[] = [];
    ws.on('message', (frame) => {
      const [, , topic, event, payload] = JSON.parse(String(frame)) as string[];
      if (topic === 'realtime:n')
        events.push(event === 'system' ? JSON.stringify(payload) : (event ?? ''));
    });
    const beats = setInterval(() => ws.send(HEARTBEAT), 25);
    ws.on('close', () => clearInterval(beats));
    const payload = { config: { postgres_changes: [] }, access_token: token };
    ws.send(JSON.stringify(['1', '1', 'realtime:n', 'phx_join', payload]));
    await vi.waitFor(() => expect(events).toEqual(['phx_reply']));
    return { ws, events };
  };
  const [left, stayed] = [await hear(leaving.token), await hear(staying.token)];
  await leaving.client.auth.signOut();
  await vi.waitFor(() => expect(left.events.at(-1)).toBe('phx_close'), 20_000);
  expect(left.events.at(-2)).toContain('The session has ended');
  expect(stayed.events).toEqual(['phx_reply']);
  for (const { ws } of [left, stayed]) ws.terminate();
});
