// Tests that attackers who use up every limit of an account, from many networks, do not lock out its owner. The limits are listed
// in docs/security.md.
import { TOTP, Secret } from 'otpauth';
import { expect, it } from 'vitest';
import { pressLink, startMailServer } from '../../../../testing/mail-server.ts';
import { startTestHost } from '../../../../testing/test-host.ts';
import { LIMITS } from '#/host/auth/auth-limits.ts';

const mail = await startMailServer();
const host = await startTestHost({
  SMTP_URL: mail.url,
  TRUST_PROXY: 'true',
  AUTH_RATE_LIMIT: '1000',
});

const PASSWORD = 'correct horse';
const HOME = '203.0.113.1';
const AWAY = '203.0.113.99';
const ATTACKERS = Array.from({ length: 12 }, (_, index) => `198.51.100.${index + 1}`);
let count = 0;

interface Answer {
  status: number;
  body: Record<string, string | undefined> & { totp?: { secret: string }; codes?: string[] };
}
async function post(from: string, path: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(`${host.url}/auth/v1/${path}`, {
    method: 'POST',
    headers: {
      apikey: host.tokens.anonKey,
      'content-type': 'application/json',
      'x-forwarded-for': from,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const statusOf = async (...request: Parameters<typeof post>) => (await post(...request)).status;

/** Creates a user who has logged in from HOME. */
async function owner() {
  const email = `owner${++count}@example.test`;
  await post(HOME, 'signup', { email, password: PASSWORD });
  const { code } = await mail.take(email);
  const { body } = await post(HOME, 'verify', { email, token: code, type: 'signup' });
  return { email, token: body.access_token ?? '' };
}
const logIn = (from: string, email: string, password = PASSWORD) =>
  post(from, 'token?grant_type=password', { email, password });

/** Repeats an attempt from each of the attacker's networks, until all of them are rate-limited. */
async function exhaust(
  attempt: (from: string) => Promise<number>,
  networks = ATTACKERS.slice(0, 3),
): Promise<void> {
  const limited = new Set<string>();
  for (let index = 0; limited.size < networks.length && index < 300; index += 1) {
    const from = networks[index % networks.length] ?? '';
    if ((await attempt(from)) === 429) limited.add(from);
  }
  expect(limited.size).toBe(networks.length);
}

it('a day of guesses from all networks together succeeds at most once in 10,000', () => {
  for (const { max, seconds } of [LIMITS.code, LIMITS.factor])
    expect([max > 0, seconds]).toEqual([true, 86_400]);
  expect((2 * LIMITS.code.max) / 1_000_000).toBeLessThanOrEqual(1 / 10_000);
  // The factor 3 is because three TOTP codes are valid at a time.
  expect((2 * LIMITS.factor.max * 3) / 1_000_000).toBeLessThanOrEqual(1 / 10_000);
});

it('wrong passwords: the owner logs in from a known network', async () => {
  const { email } = await owner();
  await exhaust(async (from) => (await logIn(from, email, 'wrong horse')).status, ATTACKERS);
  expect((await logIn(HOME, email)).status).toBe(200);
});

it('wrong codes: the owner’s code works from a known network, and the link from everywhere', async () => {
  const { email } = await owner();
  await post(HOME, 'recover', { email });
  const first = await mail.take(email);
  const wrong = first.code === '000000' ? '000001' : '000000';
  await exhaust((from) => statusOf(from, 'verify', { email, token: wrong, type: 'recovery' }));
  const right = { email, token: first.code, type: 'recovery' };
  expect(await statusOf(ATTACKERS[0] ?? '', 'verify', right)).toBe(429);
  expect(await statusOf(HOME, 'verify', right)).toBe(200);
  await host.sql('delete from auth.rate_limits where points = 1');
  await post(AWAY, 'recover', { email });
  const second = await mail.take(email);
  const opened = await pressLink(second.link, { 'x-forwarded-for': AWAY });
  expect(opened.headers.get('location')).toContain('access_token');
});

it('requests for mails: the owner’s earlier code and link stay valid, and open the owner’s browser', async () => {
  const { email } = await owner();
  const verifier = 'o'.repeat(43);
  const challenge = { code_challenge: verifier, code_challenge_method: 'plain' };
  await post(HOME, 'recover', { email, ...challenge });
  const own = await mail.take(email);
  for (const from of ATTACKERS.slice(0, 2)) {
    await host.sql('delete from auth.rate_limits');
    await post(from, 'recover', {
      email,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'plain',
    });
    await mail.take(email);
  }
  const opened = await pressLink(own.link, { 'x-forwarded-for': HOME });
  const auth_code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
  expect(
    await statusOf(HOME, 'token?grant_type=pkce', { auth_code, code_verifier: verifier }),
  ).toBe(200);
});

it('requests for mails: the owner gets another one', async () => {
  const { email } = await owner();
  await host.sql('delete from auth.rate_limits');
  await exhaust((from) => statusOf(from, 'recover', { email }));
  expect(await statusOf(HOME, 'recover', { email })).toBe(200);
});

it('tries of the second factor with a stolen password: the owner’s factor and recovery codes work', async () => {
  const { email, token } = await owner();
  const enrolled = await post(HOME, 'factors', { factor_type: 'totp' }, token);
  const id = enrolled.body.id ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(enrolled.body.totp?.secret ?? '') });
  const attempt = async (from: string, session: string, code: string) => {
    const challenge = await post(from, `factors/${id}/challenge`, {}, session);
    return post(from, `factors/${id}/verify`, { challenge_id: challenge.body.id, code }, session);
  };
  const raised = await attempt(HOME, token, totp.generate());
  expect(raised.status).toBe(200);
  const { codes } = (await post(HOME, 'recovery-codes', {}, raised.body.access_token)).body;

  const stolen = (await logIn(ATTACKERS[0] ?? '', email)).body.access_token ?? '';
  await exhaust(async (from) => (await attempt(from, stolen, '00000x')).status);
  await exhaust((from) => statusOf(from, 'recovery-codes/verify', { code: 'x' }, stolen));
  const session = (await logIn(HOME, email)).body.access_token ?? '';
  const next = totp.generate({ timestamp: Date.now() + 30_000 });
  expect((await attempt(HOME, session, next)).status).toBe(200);
  const again = (await logIn(HOME, email)).body.access_token ?? '';
  expect(await statusOf(HOME, 'recovery-codes/verify', { code: codes?.[0] }, again)).toBe(200);
});

it('wrong passwords in a stolen session: another session confirms its password', async () => {
  const { email, token } = await owner();
  const own = (await logIn(HOME, email)).body.access_token ?? '';
  await exhaust((from) => statusOf(from, 'reauthenticate', { password: 'wrong horse' }, token));
  expect(await statusOf(HOME, 'reauthenticate', { password: PASSWORD }, own)).toBe(200);
});
