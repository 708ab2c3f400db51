// Tests malicious and malformed requests at the gateway, and what it logs.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createTestDatabase, startTestHost } from '../../../../testing/test-host.ts';
import { socketConnection } from '#/host/db/cluster.ts';
import { createGateway, UNIQUE_HEADERS, type Route } from '#/host/gateway/gateway.ts';
import type { Service } from '#/host/lib/http.ts';
import { createLog, type Log } from '#/host/lib/log.ts';
import { startTcpProxy } from '../../../../testing/tcp-proxy.ts';
import { startLog } from '../../../../testing/log-lines.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const host = await startTestHost();

/** Sends bytes unchanged. Returns the first line of the response, or '' if the connection was closed without one. */
function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(host.url);
  return new Promise((resolve) => {
    let result = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (chunk) => (result += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(result.split('\r\n')[0] ?? ''));
  });
}

// Requests that testing/hostile-run.test.ts does not send.
test.each([
  [
    'a long address',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['no HTTP', '\u0016\u0003\u0001hello\r\n\r\n'],
])('no crash and no 500: %s', async (_what, bytes) => {
  expect(await sendRaw(bytes)).not.toMatch(/ 5\d\d /);
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
});

test.each(UNIQUE_HEADERS)(
  'a request with two %s headers is rejected, also one for a WebSocket',
  async (name) => {
    const values: Record<string, [string, string]> = {
      host: ['localhost', 'evil.test'],
      'content-length': ['0', '0'],
      'transfer-encoding': ['chunked', 'chunked'],
    };
    const send = (start: string, more: string[] = []) => {
      const [one, two] = values[name] ?? ['a', 'b'];
      const host = name === 'host' ? [] : ['Host: localhost'];
      const lines = [...host, `${name}: ${one}`, `${name.toUpperCase()}: ${two}`, ...more];
      const body = name === 'transfer-encoding' ? '0\r\n\r\n' : '';
      return sendRaw(`${[start, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
    };
    expect(await send('POST /healthz HTTP/1.1')).toBe('HTTP/1.1 400 Bad Request');
    const upgrade = ['Upgrade: websocket', 'Connection: Upgrade'];
    expect(await send('GET /realtime/v1/websocket HTTP/1.1', upgrade)).toBe(
      'HTTP/1.1 400 Bad Request',
    );
  },
);

test.each([
  ['localhost', 200],
  ['evil.test', 400],
])('a request for a whole URL at %s is answered with %i', async (name, status) => {
  const bytes = `GET http://${name}/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  expect(await sendRaw(bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

const REST_ERROR = { 'proxy-status': 'PostgREST; error=42P01' };

test('a body above the limit of its service is rejected', async () => {
  const { error } = await host
    .client()
    .functions.invoke('delete-user', { body: { id: 'x'.repeat(300_000) } });
  expect((error as { context?: Response } | null)?.context?.status).toBe(413);
});

test('a method that a function cannot receive is rejected', async () => {
  const bytes = `TRACE /functions/v1/weather HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${host.tokens.anonKey}\r\nConnection: close\r\n\r\n`;
  expect(await sendRaw(bytes)).toBe('HTTP/1.1 405 Method Not Allowed');
});

/** Starts a proxy to the test's PostgreSQL. Its socket is in a separate folder, so closing it does not affect other tests. */
async function startLineToDatabase() {
  const { host: socket } = new pg.Client(inject('adminConnection'));
  const folder = temporaryFolder();
  const line = await startTcpProxy({ path: path.join(folder, '.s.PGSQL.5432') }, () => ({
    path: `${socket}/.s.PGSQL.5432`,
  }));
  return { folder, ...line };
}

test('while the database is unavailable the response is 503, and requests work again afterwards', async () => {
  const line = await startLineToDatabase();
  const { database = '' } = new pg.Client(await createTestDatabase());
  const far = await startTestHost({ DATABASE_URL: socketConnection(line.folder, database) });
  const statuses = async () => [
    (await fetch(`${far.url}/healthz`)).status,
    (await fetch(`${far.url}/readyz`)).status,
    (await fetch(`${far.url}/rest/v1/parks`, { headers: { apikey: far.tokens.anonKey } })).status,
    (await far.client().auth.signInWithPassword({ email: 'a@example.test', password: 'x' })).error
      ?.status,
    (await far.client().storage.listBuckets()).error?.status,
  ];
  await line.cut();
  await expect.poll(statuses).toEqual([200, 503, 503, 503, 503]);
  await line.mend();
  await expect.poll(async () => (await statuses()).slice(0, 4)).toEqual([200, 200, 200, 400]);
  await far.close();
  await line.cut();
});

test('if the database hangs, the host responds with 503 soon and shares one check between requests', async () => {
  const line = await startLineToDatabase();
  const { database = '' } = new pg.Client(await createTestDatabase());
  const far = await startTestHost({ DATABASE_URL: socketConnection(line.folder, database) });
  // The timeout is longer than that of a typical load balancer, so the host must respond earlier.
  const send = (path: string) =>
    fetch(`${far.url}${path}`, { signal: AbortSignal.timeout(20_000) });
  expect((await send('/readyz')).status).toBe(200);
  line.freeze();
  const results = await Promise.all(Array.from({ length: 40 }, () => send('/readyz')));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set([503]));
  expect(await results[0]?.json()).toEqual({ status: 'the database cannot be reached' });
  const figures = await (await send('/metrics')).text();
  expect(figures).toContain('packpark_free_bytes ');
  expect(figures).not.toContain('packpark_jobs{');
  await line.cut();
  await far.close();
});

test('a full disk is reported without PostgreSQL’s file names', async () => {
  const full = await startTestHost();
  const fail = `raise exception using errcode = '53100',
    message = 'could not extend file "base/16384/2619": No space left on device', hint = 'Check free disk space.';`;
  await full.sql(`create function public.fill() returns void language plpgsql as $$ begin ${fail} end $$;
    grant execute on function public.fill() to anon; notify pgrst, 'reload schema'`);
  await full.sql(`create function public.full_disk() returns trigger language plpgsql as $$ begin ${fail} end $$;
    create trigger full_disk before insert on auth.users for each row execute function public.full_disk()`);
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${full.url}${path}`, {
      method: 'POST',
      headers: {
        apikey: full.tokens.anonKey,
        authorization: `Bearer ${full.tokens.anonKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return [response.status, await response.text()] as const;
  };
  await vi.waitFor(async () => {
    for (const [path, body] of [
      ['/rest/v1/rpc/fill', {}],
      ['/auth/v1/signup', { email: 'a@example.test', password: 'a long enough password' }],
    ] as const) {
      const [status, text] = await post(path, body);
      expect([path, status]).toEqual([path, 507]);
      expect(text).toContain('There is no room left to store anything right now');
      expect(text).not.toMatch(/base\/|No space|Check free/);
    }
  }, 20_000);
});

test('a starting host calls its own functions, and other callers are told to retry', async () => {
  const seen: Record<string, unknown> = {};
  const started = await startTestHost(
    { DATABASE_URL: host.connectionString },
    {
      async prepare({ url, tokens }) {
        for (const path of ['/', '/readyz', '/rest/v1/parks', '/functions/v1/x', '/config.json']) {
          const response = await fetch(url + path, {
            method: path.startsWith('/functions') ? 'POST' : 'GET',
            headers: { authorization: `Bearer ${tokens.anonKey}` },
          });
          seen[path] = [response.status, response.headers.get('retry-after')];
        }
        const page = await fetch(url, {
          headers: { accept: 'text/html', 'accept-language': 'he' },
        });
        seen.page = [page.status, page.headers.get('refresh')];
        expect(await page.text()).toMatch(/lang="he" dir="rtl"/);
        seen.alive = (await fetch(`${url}/healthz`)).status;
        const own = { authorization: `Bearer ${tokens.serviceKey}`, apikey: tokens.serviceKey };
        seen.own = (await fetch(`${url}/rest/v1/parks?select=id`, { headers: own })).status;
        const socket = new WebSocket(
          `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${tokens.anonKey}`,
        );
        seen.socket = await new Promise((resolve) =>
          socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode)),
        );
      },
    },
  );
  const later = [503, '1'];
  expect(seen).toEqual({
    '/': later,
    '/readyz': later,
    '/rest/v1/parks': later,
    '/functions/v1/x': later,
    '/config.json': later,
    page: [503, '2'],
    alive: 200,
    own: 200,
    socket: 503,
  });
  expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
});

const gatewayTo = (routes: Route[], isTooEarly = () => false, log = createLog('silent')) =>
  createGateway({
    routes,
    log,
    trustProxy: false,
    isTooEarly,
    local: true,
    observe: () => undefined,
  });

test('before its services exist the host responds 503 to all requests and never 404', async () => {
  const handle = gatewayTo([], () => true);
  for (const path of ['/', '/healthz', '/rest/v1/parks', '/config.json']) {
    const request = new Request(`http://localhost${path}`);
    const { status, headers } = await handle(request, {
      rawHeaders: [],
      url: path,
    } as unknown as IncomingMessage);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '1']);
  }
});

/**
 * Starts a gateway with one service and returns its port.
 * @param seen called at the start of each request
 */
async function serve(
  service: Service,
  seen: (incoming: IncomingMessage) => void,
  log?: Log,
): Promise<number> {
  const handle = gatewayTo([['/', service]], undefined, log);
  const server = createAdaptorServer({
    fetch(request, env) {
      const { incoming } = env as HttpBindings;
      seen(incoming);
      return handle(request, incoming);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('the unread rest of a body is discarded and the connection stays open', async () => {
  let fate: Promise<string> | undefined;
  const port = await serve(
    async (request) => {
      await request.body?.getReader().read();
      return new Response(null, { status: 500 });
    },
    (incoming) => {
      fate = Promise.race([
        once(incoming, 'end').then(() => 'passed'),
        once(incoming.socket, 'close').then(() => 'was cut off'),
      ]);
    },
  );
  const body = new Uint8Array(1_000_000);
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
  expect([response.status, await fate]).toEqual([500, 'passed']);
});

test('a request that the client aborts is not logged as an error of the host', async () => {
  const { log, lines } = startLog();
  const socket = new Socket();
  const port = await serve(
    async (request) => new Response(await request.text()),
    () => socket.destroy(),
    log,
  );
  socket.connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of it');
  await expect.poll(() => lines).toMatchObject([{ level: 30, msg: 'request', status: 499 }]);
});

test('the ID of a response finds the code and the cause of its error in the log', async () => {
  const { log, lines } = startLog();
  const port = await serve(
    (_request, context) => {
      context.log.error({ error: 'the cause' }, 'a service failed');
      return Promise.resolve(new Response(null, { status: 500, headers: REST_ERROR }));
    },
    () => undefined,
    log,
  );
  const id = (await fetch(`http://127.0.0.1:${port}/`)).headers.get('sb-request-id');
  expect(lines.filter((line) => line.id === id)).toMatchObject([
    { error: 'the cause', msg: 'a service failed' },
    { status: 500, code: '42P01', msg: 'request' },
  ]);
});

test('a stopping host finishes an upload that is being received', async () => {
  const stopping = await startTestHost({ DATABASE_URL: host.connectionString });
  const { token, id } = await stopping.user('Uploads at the end');
  const { port } = new URL(stopping.url);
  const path = `/storage/v1/object/users/${id}/x.webp`;
  const socket = connect(Number(port), '127.0.0.1');
  let result = '';
  socket.on('data', (chunk) => (result += chunk.toString('latin1')));
  const closed = once(socket, 'close');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: image/webp\r\nContent-Length: 8\r\n\r\nhalf`,
  );
  expect((await fetch(`${stopping.url}/healthz`)).status).toBe(200);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const end = stopping.close();
  const isClosed = () =>
    new Promise((resolve) => {
      const probe = connect(Number(port), '127.0.0.1', () => resolve(false));
      probe.once('error', () => resolve(true));
      probe.once('connect', () => probe.destroy());
    });
  while (!(await isClosed()));
  vi.advanceTimersByTime(10_000);
  socket.write('half');
  await closed.catch(() => undefined);
  await end;
  expect(result).toMatch(/^HTTP\/1\.1 \d{3}/);
});
