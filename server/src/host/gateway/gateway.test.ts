// What reaches the gate from hostile or broken clients, and what it writes down.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import WebSocket from 'ws';
import { createTestDatabase, startTestHost } from '../../../../testing/test-host.ts';
import { socketConnection } from '#/host/db/cluster.ts';
import { createGateway } from '#/host/gateway/gateway.ts';
import { createLog } from '#/host/lib/log.ts';
import { startLog } from '../../../../testing/log-lines.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';

const host = await startTestHost();

/** Sends bytes as they are; the first line of the answer, or '' where the connection was just closed. */
function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(host.url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
  });
}

test.each([
  ['an empty host', 'GET / HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n'],
  ['a host that is no name', 'GET / HTTP/1.1\r\nHost: %%%\r\nConnection: close\r\n\r\n'],
  ['a host with a path', 'GET / HTTP/1.1\r\nHost: a/b@c\r\nConnection: close\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [
    'an absolute address',
    'GET http://elsewhere.example/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ],
  [
    'an authority',
    'GET //elsewhere.example/%2e%2e HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ],
  [
    'a broken escape',
    'GET /parks/%E0%A4%A HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ],
  ['a strange method', 'BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
  [
    'a long address',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  ],
  [
    'a lying length',
    'POST /functions/v1/weather HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\nConnection: close\r\n\r\n{}',
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['no HTTP', '\u0016\u0003\u0001hello\r\n\r\n'],
])('%s: no crash and no 500', async (_what, bytes) => {
  expect(await sendRaw(bytes)).not.toMatch(/ 5\d\d /);
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
});

test('a body beyond the limit of its service is refused', async () => {
  const { error } = await host
    .client()
    .functions.invoke('delete-user', { body: { id: 'x'.repeat(300_000) } });
  expect((error as { context?: Response } | null)?.context?.status).toBe(413);
});

test('a method that no function can be given is refused', async () => {
  const bytes = `TRACE /functions/v1/weather HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${host.tokens.anonKey}\r\nConnection: close\r\n\r\n`;
  expect(await sendRaw(bytes)).toBe('HTTP/1.1 405 Method Not Allowed');
});

/** A way to the test's PostgreSQL that can be cut and mended: a socket in a folder of its own, which nobody else takes meanwhile. */
async function startCuttableWay() {
  const { host: socket } = new pg.Client(inject('adminConnection'));
  const folder = temporaryFolder();
  const open = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(`${socket}/.s.PGSQL.5432`);
    for (const end of [near, far]) {
      open.add(end);
      end.on('error', () => undefined).on('close', () => open.delete(end));
    }
    // Taken from both ends and given to neither, as of a server that is stopped in the middle of its work.
    near.on('data', (bytes) => !frozen && far.write(bytes));
    far.on('data', (bytes) => !frozen && near.write(bytes));
    near.on('end', () => far.end());
    far.on('end', () => near.end());
  });
  let frozen = false;
  const mend = () =>
    new Promise<void>((resolve) =>
      listener.listen(path.join(folder, '.s.PGSQL.5432'), () => resolve()),
    );
  await mend();
  return {
    folder,
    mend,
    freeze() {
      frozen = true;
    },
    async cut() {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const end of open) end.destroy();
      await closed;
    },
  };
}

test('while the database is away the answer is 503, and all is well when it is back', async () => {
  const way = await startCuttableWay();
  const { database = '' } = new pg.Client(await createTestDatabase());
  const far = await startTestHost({ DATABASE_URL: socketConnection(way.folder, database) });
  const statuses = async () => [
    (await fetch(`${far.url}/healthz`)).status,
    (await fetch(`${far.url}/readyz`)).status,
    (await fetch(`${far.url}/rest/v1/parks`, { headers: { apikey: far.tokens.anonKey } })).status,
    (await far.client().auth.signInWithPassword({ email: 'a@example.test', password: 'x' })).error
      ?.status,
    (await far.client().storage.listBuckets()).error?.status,
  ];
  await way.cut();
  await expect.poll(statuses).toEqual([200, 503, 503, 503, 503]);
  await way.mend();
  await expect.poll(async () => (await statuses()).slice(0, 4)).toEqual([200, 200, 200, 400]);
  await far.close();
  await way.cut();
});

test('with a database that is frozen the host says so soon, and asks it once', async () => {
  const way = await startCuttableWay();
  const { database = '' } = new pg.Client(await createTestDatabase());
  const far = await startTestHost({ DATABASE_URL: socketConnection(way.folder, database) });
  // A balancer would have given up long before.
  const ask = (path: string) => fetch(`${far.url}${path}`, { signal: AbortSignal.timeout(20_000) });
  expect((await ask('/readyz')).status).toBe(200);
  way.freeze();
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/readyz')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(await answers[0]?.json()).toEqual({ status: 'the database cannot be reached' });
  const figures = await (await ask('/metrics')).text();
  expect(figures).toContain('packpark_free_bytes ');
  expect(figures).not.toContain('packpark_jobs{');
  await way.cut();
  await far.close();
});

test('a full disk is said in plain words, without PostgreSQL’s files', async () => {
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

test('a host that starts answers itself, and tells all others to come back', async () => {
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
    alive: 200,
    own: 200,
    socket: 503,
  });
  expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
});

test('before its services are there it tells all to come back, and nobody that something is not found', async () => {
  const handle = createGateway({
    routes: [],
    log: createLog('silent'),
    trustProxy: false,
    isTooEarly: () => true,
    local: true,
    observe: () => undefined,
  });
  for (const path of ['/', '/healthz', '/rest/v1/parks', '/config.json']) {
    const request = new Request(`http://localhost${path}`);
    const { status, headers } = await handle(request, {} as IncomingMessage);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '1']);
  }
});

test('what a service left of a body passes, and the connection stays', async () => {
  const handle = createGateway({
    routes: [
      [
        '/',
        async (request) => {
          await request.body?.getReader().read();
          return new Response(null, { status: 500 });
        },
      ],
    ],
    log: createLog('silent'),
    trustProxy: false,
    local: true,
    observe: () => undefined,
  });
  let fate: Promise<string> | undefined;
  const server = createAdaptorServer({
    fetch(request, env) {
      const { incoming } = env as HttpBindings;
      fate = Promise.race([
        once(incoming, 'end').then(() => 'passed'),
        once(incoming.socket, 'close').then(() => 'was cut off'),
      ]);
      return handle(request, incoming);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const body = new Uint8Array(1_000_000);
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
    expect([response.status, await fate]).toEqual([500, 'passed']);
  } finally {
    server.close();
  }
});

test('a body that its sender cuts off is no fault of the host', async () => {
  const { log, lines } = startLog();
  const handle = createGateway({
    routes: [['/', async (request) => new Response(await request.text())]],
    log,
    trustProxy: false,
    local: true,
    observe: () => undefined,
  });
  const server = createAdaptorServer({
    fetch: (request, env) => handle(request, (env as HttpBindings).incoming),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const begun = once(server, 'request');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf of it');
    await begun;
    socket.destroy();
    await expect.poll(() => lines).toMatchObject([{ level: 30, msg: 'request', status: 499 }]);
  } finally {
    server.close();
  }
});
