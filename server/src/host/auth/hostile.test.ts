// Tests malicious requests, and several hosts on one database. testing/hostile-run.test.ts sends random requests to every route.
import { expect, it } from 'vitest';
import { startTestHost, type TestHost } from '../../../../testing/test-host.ts';

const host = await startTestHost({ AUTH_RATE_LIMIT: '100000', AUTH_MAIL_INTERVAL: '0' });

it.each(['/factors/x', '/factors/x/challenge', '/factors/x/verify', '/admin/users/%00', '/%'])(
  'malformed requests: the path %s is rejected',
  async (path) => {
    const { token } = await host.user('Dana');
    const headers = { authorization: `Bearer ${token}` };
    for (const method of ['POST', 'DELETE', 'GET']) {
      const response = await fetch(`${host.url}/auth/v1${path}`, { method, headers });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }
  },
);

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const lone = String.raw`"\ud800"`;

it.each([
  ['nested a thousand levels deep', nested(1000)],
  ['nested ten thousand levels deep', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['with a lone surrogate', `{"a":${lone}}`],
  ['with a lone surrogate in a name', `{${lone}:1}`],
])('malformed metadata: %s is rejected with 400', async (_, data) => {
  const { token } = await host.user('Dana');
  const email = '"email":"deep@example.test","password":"correct horse"';
  for (const [method, path] of [
    ['POST', '/signup'],
    ['POST', '/otp'],
    ['PUT', '/user'],
  ] as const) {
    const body = `{${path === '/user' ? '' : `${email},`}"data":${data}}`;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${host.url}/auth/v1${path}`, { method, headers, body });
    expect({ path, status: response.status }).toEqual({ path, status: 400 });
  }
});

it('several hosts on one database: they share sessions and attempt counters', async () => {
  const first = await startTestHost();
  const second = await startTestHost({ DATABASE_URL: first.connectionString });
  const email = 'everywhere@example.test';
  const password = 'correct horse';
  const { data } = await first.client().auth.signUp({ email, password });
  const refresh_token = data.session?.refresh_token ?? '';
  const there = second.client();
  expect((await there.auth.refreshSession({ refresh_token })).error).toBeNull();
  expect((await there.auth.getUser()).data.user?.email).toBe(email);

  const attempt = (at: TestHost) =>
    at.client().auth.signInWithPassword({ email, password: 'wrong horse' });
  for (let i = 0; i < 5; i++) await Promise.all([attempt(first), attempt(second)]);
  for (const at of [first, second])
    expect((await attempt(at)).error).toMatchObject({ status: 429 });
});
