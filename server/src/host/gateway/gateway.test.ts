// What reaches the gate from hostile or broken clients, and what it writes down.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startCli, migratedData } from '../../../testing/run-cli.ts';
import { createTestDatabase, startTestHost, type TestHost } from '../../../testing/test-host.ts';
import { socketConnection } from '#/host/db/cluster.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

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

/** A way to the test's PostgreSQL that can be cut and mended: a socket in a folder of its own, which nobody else takes meanwhile. */
async function startCuttableWay() {
  const { host: socket } = new pg.Client(inject('adminConnection'));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packpark-way-'));
  const open = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(`${socket}/.s.PGSQL.5432`);
    for (const end of [near, far]) {
      open.add(end);
      end.on('error', () => undefined).on('close', () => open.delete(end));
    }
    near.pipe(far).pipe(near);
  });
  const mend = () =>
    new Promise<void>((resolve) =>
      listener.listen(path.join(folder, '.s.PGSQL.5432'), () => resolve()),
    );
  await mend();
  return {
    folder,
    mend,
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
  const far = await startTestHost({
    DATABASE_URL: socketConnection(way.folder, database),
  });
  const statuses = async () => [
    (await fetch(`${far.url}/healthz`)).status,
    (await fetch(`${far.url}/readyz`)).status,
    (await fetch(`${far.url}/rest/v1/parks`, { headers: { apikey: far.tokens.anonKey } })).status,
    (await far.client().auth.signInWithPassword({ email: 'a@example.test', password: 'x' })).error
      ?.status,
    (await far.client().storage.listBuckets()).error?.status,
  ];
  await way.cut();
  await vi.waitFor(async () => expect(await statuses()).toEqual([200, 503, 503, 503, 503]), 20_000);
  await way.mend();
  await vi.waitFor(
    async () => expect((await statuses()).slice(0, 4)).toEqual([200, 200, 200, 400]),
    20_000,
  );
  await far.close();
  await way.cut();
  rmSync(way.folder, { recursive: true });
});

test('the access log names kinds of things and never a person', async () => {
  const data = migratedData();
  const running = await startCli({ DATA_DIR: data, DEMO: 'false', LOG_LEVEL: 'info' });
  const id = '6f1b7a52-0000-4000-8000-000000000001';
  await fetch(`${running.url}/profile/${id}/dogs?email=somebody@example.test`);
  await fetch(`${running.url}/rest/v1/users?name=eq.Secret&id=eq.${id}`, {
    headers: { authorization: 'Bearer abc.def.ghi' },
  });
  await fetch(`${running.url}/storage/v1/object/public/users/${id}/dogs/x.webp`);
  await running.end('SIGTERM');
  const lines = running
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const paths = lines.map((line) => (JSON.parse(line) as { path?: string }).path);
  expect(paths).toEqual(
    expect.arrayContaining(['/profile', '/rest/v1/users', '/storage/v1/object']),
  );
  for (const secret of [id, 'somebody@', 'Secret', 'abc.def'])
    expect(running.output()).not.toContain(secret);
});
