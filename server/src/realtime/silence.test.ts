// A socket that has gone silent is closed: a phone that left the network never says goodbye.
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
  service = await createRealtimeService({ database, tokens, log }, { most: 1000, look: 25 });
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
