// What no client would send: seeded nonsense over every route, hostile tokens, and several hosts on one database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../../../testing/seeded.ts';
import { startTestHost, type TestHost } from '../../../../testing/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ AUTH_RATE_LIMIT: '100000', AUTH_MAIL_INTERVAL: '0' });
});
afterAll(() => host.close());

const ROUTES = [
  ['GET', '/.well-known/jwks.json'],
  ['POST', '/signup'],
  ['POST', '/token?grant_type=password'],
  ['POST', '/token?grant_type=refresh_token'],
  ['POST', '/token?grant_type=pkce'],
  ['POST', '/token?grant_type=id_token'],
  ['POST', '/logout'],
  ['GET', '/user'],
  ['PUT', '/user'],
  ['POST', '/otp'],
  ['POST', '/recover'],
  ['POST', '/resend'],
  ['GET', '/reauthenticate'],
  ['POST', '/verify'],
  ['GET', '/authorize?provider=google'],
  ['POST', '/callback'],
  ['POST', '/factors'],
  ['POST', '/invite'],
  ['POST', '/admin/generate_link'],
  ['GET', '/admin/users'],
  ['POST', '/admin/users'],
] as const;
const KEYS = [
  'email', 'password', 'phone', 'data', 'type', 'token', 'token_hash', 'refresh_token', 'auth_code', 'code_verifier',
  'provider', 'id_token', 'nonce', 'code_challenge', 'code_challenge_method', 'redirect_to', 'factor_type', 'issuer',
  'friendly_name', 'new_email', 'id', 'ban_duration', 'user_metadata', 'app_metadata', 'password_hash', 'create_user',
  '__proto__', 'constructor', 'gotrue_meta_security',
]; // oxfmt-ignore
const VALUES: unknown[] = [
  null, true, 0, -1, 1e308, '', ' ', 'a@b.test', 'A@B.TEST', "'; drop table auth.users; --", '\0', '\ud800', '💚'.repeat(99),
  'x'.repeat(5000), '${7*7}', '{{ .Token }}', '../../etc/passwd', '%00', '\r\nBcc: x@y.test', 'a\r\n@b.test', [], [[]], {},
  { a: { b: { c: '\0' } } }, { __proto__: null }, '00000000-0000-0000-0000-000000000000', 'pkce_x', '000000', 's256',
  'signup', 'recovery', 'email_change', 'totp', 'phone', '9'.repeat(400), '1h'.repeat(9), 'none', '$2a$10$x', '$argon2id$x',
  'a'.repeat(64), 'javascript:alert(1)', 'packpark://x', '//x', 'google', 'apple', '٣', '\u202e',
]; // oxfmt-ignore

describe('nonsense', () => {
  it('never ends in a 5xx', async () => {
    const { next, pick } = seeded(20261121);
    const person = await host.user('Dana');
    const tokens = [
      host.tokens.anonKey,
      host.tokens.serviceKey,
      person.token,
      await host.tokens.sign({ role: 'authenticated', sub: "'" }, 60),
      await host.tokens.sign({ role: 'authenticated', sub: person.id, session_id: 'x' }, 60),
      'nonsense',
    ];
    const seen: Record<number, number> = {};
    for (let i = 0; i < 600; i++) {
      const [method, path] = pick(ROUTES);
      const body: Record<string, unknown> = { email: 'a@b.test', password: 'correct horse' };
      for (let k = 0; k < next() * 8; k++) body[pick(KEYS)] = pick(VALUES);
      const query = new URLSearchParams({ [pick(KEYS)]: String(JSON.stringify(pick(VALUES))) });
      const text = JSON.stringify(body);
      const response = await fetch(
        `${host.url}/auth/v1${path}${path.includes('?') ? '&' : '?'}${query}`,
        {
          method,
          redirect: 'manual',
          headers: { authorization: `Bearer ${pick(tokens)}` },
          ...(method === 'GET' ? {} : { body: next() < 0.1 ? text.slice(0, 20) : text }),
        },
      );
      seen[response.status] = (seen[response.status] ?? 0) + 1;
      const answer = await response.text();
      if (response.status >= 500) throw new Error(`${method} ${path} ${text}: ${answer}`);
    }
    // Some of it must have got past the first checks, or the test would prove little.
    expect(seen[200]).toBeGreaterThan(25);
    expect(Object.keys(seen).length).toBeGreaterThan(5);
  });

  it.each(['/factors/x', '/factors/x/challenge', '/factors/x/verify', '/admin/users/%00', '/%'])(
    'in the path %s is refused',
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
});

describe('JSON that code fails on', () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const lone = String.raw`"\ud800"`;

  it.each([
    ['nested a thousand levels deep', nested(1000)],
    ['nested ten thousand levels deep', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['with a lone surrogate', `{"a":${lone}}`],
    ['with a lone surrogate in a name', `{${lone}:1}`],
  ])('is refused with 400: metadata %s', async (_, data) => {
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

  it('is refused with 400: the name of a factor', async () => {
    const client = host.client();
    await client.auth.signUp({ email: 'factor@example.test', password: 'correct horse' });
    const { data, error } = await client.auth.mfa.enroll({
      factorType: 'totp',
      friendlyName: 'x\ud800',
    });
    expect(data).toBeNull();
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

describe('several hosts on one database', () => {
  it('know the same sessions and count the same attempts', async () => {
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
    await Promise.all([first.close(), second.close()]);
  });
});
