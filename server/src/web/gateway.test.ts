// What reaches the gate from hostile or broken clients, and what it writes down.
import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { startCli, temporaryData } from '../../testing/run-cli.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

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

test('while the database is away the answer is 503, and all is well when it is back', async () => {
  const [{ name } = { name: '' }] = await host.sql<{ name: string }>(
    'select current_database() as name',
  );
  const admin = new pg.Client(inject('adminConnection'));
  await admin.connect();
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
  const parks = () =>
    fetch(`${host.url}/rest/v1/parks`, { headers: { apikey: host.tokens.anonKey } });
  await vi.waitFor(async () => expect((await parks()).status).toBe(503));
  expect((await fetch(`${host.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  await admin.query(`alter database ${name} with allow_connections true`);
  await admin.end();
  await vi.waitFor(async () => expect((await parks()).status).toBe(200));
  expect((await fetch(`${host.url}/readyz`)).status).toBe(200);
});

test('the access log names kinds of things and never a person', async () => {
  const data = temporaryData();
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
