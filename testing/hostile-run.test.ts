// Hostile requests and sockets to every route of a host must not cause a 5xx or a hang. FUZZ_SEED and FUZZ_REQUESTS vary them.
import net from 'node:net';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import {
  hostileRequest,
  hostileSocket,
  type HostileRequest,
  type HostileSocket,
} from './hostile-requests.ts';
import { startTestHost } from './test-host.ts';

/** Every n-th request is a WebSocket with several messages. */
const SOCKET_EACH = 25;
/** How long an unfinished request is left open. */
const UNFINISHED_MS = 150;
/** A missing response counts as a hang after this time. */
const HANG_MS = 30_000;
const CONNECTIONS = 12;
/** Functions that call an external service may report that it does not respond. */
const OUTSIDE = /^\S+ \/functions\/v1\/(weather|geocode|route|send-push)/;

/** Sends raw bytes. Resolves with the response, or null after a timeout. */
const exchange = ({ port, hostname }: URL, { bytes, complete }: HostileRequest) =>
  new Promise<string | null>((resolve) => {
    const parts: Buffer[] = [];
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    const response = () => Buffer.concat(parts).toString('latin1');
    const timer = setTimeout(
      () => {
        const late = complete && parts.length === 0;
        resolve(late ? null : response());
        socket.destroy();
      },
      complete ? HANG_MS : UNFINISHED_MS,
    );
    socket.on('data', (part) => parts.push(part));
    // The host may close the connection of a rejected request while we are still writing.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(response());
    });
  });

/** The TCP socket below a WebSocket, to send bytes that are not a frame; ws has no public access to it. */
const socketOf = (ws: WebSocket) => (ws as unknown as { _socket: net.Socket })._socket;

/** Opens a socket and sends all messages. Resolves with the status of a rejection, 'open' or 'silent'. */
const converse = (url: string, { query, messages, garbage }: HostileSocket) =>
  new Promise<number | 'open' | 'silent'>((resolve) => {
    const ws = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?${query}`);
    const finish = (result: number | 'open' | 'silent') => {
      clearTimeout(timer);
      resolve(result);
      ws.terminate();
    };
    const timer = setTimeout(() => finish('silent'), HANG_MS);
    ws.on('error', () => undefined);
    ws.on('unexpected-response', (_, response) => finish(response.statusCode ?? 0));
    ws.on('close', () => finish('open'));
    ws.on('open', () => {
      for (const message of messages) ws.send(message);
      if (garbage) socketOf(ws).write(garbage);
      // The reply to a heartbeat shows that all earlier messages were read. A closed socket counts as a reply.
      else
        ws.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: 'last' }));
      ws.on('message', (text) => /"last"/.test(String(text)) && finish('open'));
      setTimeout(() => finish('open'), 1000);
    });
  });

const healthy = async (url: string) => {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(HANG_MS) }).catch(
    () => null,
  );
  return response?.status === 200;
};

/** A loopback port without a listener, because tests must not call external services. */
const NOBODY = 'http://127.0.0.1:9';
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1500);

const host = await startTestHost({
  AUTH_RATE_LIMIT: '1000000',
  AUTH_MAIL_INTERVAL: '0',
  WEATHER_URL: NOBODY,
  GEOCODER_URL: NOBODY,
  TILE_URL: `${NOBODY}/{z}/{x}/{y}.png`,
});

test(
  `${REQUESTS} hostile requests from seed ${SEED} cause no 5xx and no hang`,
  async () => {
    const user = await host.user('Dana');
    const { anonKey, serviceKey } = host.tokens;
    const tokens = [
      anonKey,
      user.token,
      user.token,
      serviceKey,
      await host.tokens.sign({ role: 'authenticated', sub: user.id, exp: 1 }),
      await host.tokens.sign({ role: 'authenticated', sub: "'" }, 600),
      await host.tokens.sign({ role: 'postgres' as never, sub: user.id }, 600),
      `${user.token.slice(0, -6)}AAAAAA`,
      'a.b.c',
      '',
    ];
    const address = new URL(host.url);
    const failures: string[] = [];
    const statuses: Record<string, number> = {};
    let next = 0;

    async function one(index: number) {
      if (index % SOCKET_EACH === 0) {
        const result = await converse(host.url, hostileSocket(SEED, index, tokens));
        statuses[result] = (statuses[result] ?? 0) + 1;
        if (result === 'silent' || (result !== 'open' && result >= 500))
          failures.push(`${index}: socket: ${result}`);
        return;
      }
      const request = hostileRequest(SEED, index, tokens);
      const response = await exchange(address, request);
      if (response === null) {
        failures.push(`${index}: no response: ${request.label}`);
        return;
      }
      const status = Number(
        /^(?:HTTP\/1\.1 1\d\d[^\r]*\r\n\r\n)*HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
      const excused =
        (status >= 502 && OUTSIDE.test(request.label)) ||
        // Allowed are a statement timeout, and the page that is sent if the app has not been built.
        (status === 504 && / \/rest\//.test(request.label)) ||
        (status === 503 && /content-type: text\/html/i.test(response));
      if (status >= 500 && !excused)
        failures.push(
          `${index}: ${status}: ${request.label}: ${response.split('\r\n\r\n')[1]?.slice(0, 300)}`,
        );
    }
    async function worker() {
      while (next < REQUESTS) await one(next++);
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    if (!(await healthy(host.url)))
      failures.push('The host is not well afterwards: /readyz does not answer 200.');
    expect(failures).toEqual([]);
    // The requests must get past the parsers, otherwise the test would be meaningless.
    for (const status of [200, 400, 401, 403, 404, 405])
      expect.soft(statuses[status] ?? 0, JSON.stringify(statuses)).toBeGreaterThan(2);
    expect(statuses.open).toBeGreaterThan(20);
  },
  60_000 + 100 * REQUESTS,
);
