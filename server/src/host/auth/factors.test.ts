// Tests second factors with the official client: TOTP, and phone with a fake SMS webhook.
import { createHmac, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { sendCode } from '#/host/auth/sms.ts';
import { atEnd } from '../../../../testing/at-end.ts';
import { startLog } from '../../../../testing/log-lines.ts';
import { startStubService } from '../../../../testing/stub-service.ts';
import { authErrorOf, type Client, startTestHost } from '../../../../testing/test-host.ts';

const SECRET = Buffer.from('a webhook secret').toString('base64');
let webhookStatus = 200;
const webhook = await startStubService(() => ({ status: webhookStatus, body: {} }));
atEnd(webhook.close);
const lastMessage = () => {
  const { headers = {}, body = '{}' } = webhook.requests.at(-1) ?? {};
  return { headers, body, sms: JSON.parse(body).sms };
};
const host = await startTestHost({
  SMS_WEBHOOK_URL: `${webhook.url}/sms`,
  SMS_WEBHOOK_SECRET: `v1,whsec_${SECRET}`,
});

const PASSWORD = 'correct horse';
let count = 0;

async function user() {
  const client = host.client();
  const email = `factor${++count}@example.test`;
  await client.auth.signUp({ email, password: PASSWORD });
  const claims = async () =>
    decodeJwt((await client.auth.getSession()).data.session?.access_token ?? '');
  return { client, email, claims, mfa: client.auth.mfa };
}

/**
 * Returns the current code of an authenticator app, or a later one, because each code works only once. The host also accepts the
 * previous and the next code, so the result stays valid if the next 30-second step begins during the test.
 * @param steps the number of 30-second steps to look ahead
 */
const codeOf = (uri: string, steps = 0) => {
  const parameters = new URL(uri).searchParams;
  const totp = new TOTP({ secret: parameters.get('secret') ?? '' });
  return totp.generate({ timestamp: Date.now() + steps * 30_000 });
};
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

async function withTotp() {
  const someone = await user();
  const { data, error } = await someone.mfa.enroll({
    factorType: 'totp',
    friendlyName: 'phone app',
  });
  if (!data) throw error;
  const { uri } = data.totp;
  const verified = await someone.mfa.challengeAndVerify({ factorId: data.id, code: codeOf(uri) });
  expect(verified.error).toBeNull();
  return { ...someone, factorId: data.id, uri };
}

it("TOTP: enrolling returns a QR code, stores the key encrypted and raises the session's assurance level", async () => {
  const { client, claims, mfa, email } = await user();
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  const { data } = await mfa.enroll({ factorType: 'totp', issuer: 'Packpark' });
  expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
  expect(decodeURIComponent(data?.totp.uri ?? '')).toMatch(
    new RegExp(`^otpauth://totp/Packpark:${email}\\?.*issuer=Packpark`),
  );
  expect((await mfa.listFactors()).data).toMatchObject({
    all: [{ status: 'unverified' }],
    totp: [],
  });

  const factorId = data?.id ?? '';
  const stored = await host.sql`select secret from auth.mfa_factors where id = ${factorId}`;
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(data?.totp.secret);
  const challenge = await mfa.challenge({ factorId });
  expect(challenge.data).toMatchObject({ type: 'totp' });
  expect(challenge.data?.expires_at).toBeGreaterThan(Date.now() / 1000 + 200);
  const { data: session } = await mfa.verify({
    factorId,
    challengeId: challenge.data?.id ?? '',
    code: codeOf(data?.totp.uri ?? ''),
  });
  expect(session?.user.factors).toMatchObject([{ id: factorId, status: 'verified' }]);
  expect(events).toContain('MFA_CHALLENGE_VERIFIED');
  expect(await claims()).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'totp' }, { method: 'password' }],
  });
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await claims()).aal).toBe('aal2');
  expect((await mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
  });
});

it('TOTP: tokens from before the verification do not reach level two', async () => {
  const { client, mfa } = await user();
  const before = (await client.auth.getSession()).data.session;
  const { data } = await mfa.enroll({ factorType: 'totp' });
  const code = codeOf(data?.totp.uri ?? '');
  expect((await mfa.challengeAndVerify({ factorId: data?.id ?? '', code })).error).toBeNull();
  const steal = async (method: string, path: string, body = {}) => {
    const headers = { authorization: `Bearer ${before?.access_token}` };
    const request = { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${host.url}/auth/v1${path}`, request);
    return ((await response.json()) as { error_code?: string }).error_code;
  };
  const stolen = [
    await steal('PUT', '/user', { password: 'thief horse' }),
    await steal('POST', '/factors', { factor_type: 'totp', friendly_name: 'thief' }),
    await steal('POST', '/recovery-codes'),
    await steal('DELETE', `/factors/${data?.id}`),
    await steal('POST', '/logout?scope=others'),
  ];
  expect(stolen).toEqual(stolen.map(() => 'insufficient_aal'));
  const refresh_token = before?.refresh_token ?? '';
  const thief = await host.client().auth.refreshSession({ refresh_token });
  expect(thief.error).toMatchObject({ code: 'refresh_token_not_found' });
  expect((await client.auth.refreshSession()).error).toBeNull();
});

it('TOTP: unenrolling requires a recent login', async () => {
  const { mfa, factorId } = await withTotp();
  await host.sql`update auth.sessions set amr = jsonb_build_array(jsonb_build_object('method', 'totp', 'timestamp', 0))`;
  expect((await mfa.unenroll({ factorId })).error).toMatchObject({
    code: 'reauthentication_needed',
  });
});

it('TOTP: a login requires a code, and wrong and used codes are rejected', async () => {
  const { email, factorId, uri } = await withTotp();
  const { auth } = host.client();
  await auth.signInWithPassword({ email, password: PASSWORD });
  expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  });
  const verify = (code: string) => auth.mfa.challengeAndVerify({ factorId, code });
  const failed = { status: 422, code: 'mfa_verification_failed' };
  expect((await verify(wrong(codeOf(uri)))).error).toMatchObject(failed);
  expect((await verify(codeOf(uri, 5))).error).toMatchObject(failed);
  const next = codeOf(uri, 1);
  expect((await verify(next)).error).toBeNull();
  expect((await verify(next)).error).toMatchObject(failed);
});

it('TOTP: guesses are limited', async () => {
  const { mfa, factorId, uri } = await withTotp();
  const { data } = await mfa.challenge({ factorId });
  const guess = (code: string) => mfa.verify({ factorId, challengeId: data?.id ?? '', code });
  for (let i = 0; i < 16; i++) await guess(wrong(codeOf(uri)));
  expect(await authErrorOf(guess(codeOf(uri, 1)))).toBe('429 over_request_rate_limit');
});

it('TOTP: a challenge that is expired, unknown or belongs to another factor is rejected', async () => {
  const { mfa, factorId, uri } = await withTotp();
  const { data } = await mfa.challenge({ factorId });
  const challengeId = data?.id ?? '';
  const code = codeOf(uri, 1);
  expect(await authErrorOf(mfa.verify({ factorId, challengeId: factorId, code }))).toBe(
    '404 mfa_factor_not_found',
  );
  await host.sql`update auth.mfa_challenges set created_at = now() - interval '6 minutes' where id = ${challengeId}`;
  expect(await authErrorOf(mfa.verify({ factorId, challengeId, code }))).toBe(
    '422 mfa_challenge_expired',
  );
  const other = await user();
  expect((await other.mfa.challenge({ factorId })).error).toMatchObject({ status: 404 });
  expect((await other.mfa.unenroll({ factorId })).error).toMatchObject({ status: 404 });
});

it('a new second factor ends the sessions without one, and they learn the reason', async () => {
  const owner = await user();
  const { auth } = host.client();
  await auth.signInWithPassword({ email: owner.email, password: PASSWORD });
  const { data } = await owner.mfa.enroll({ factorType: 'totp' });
  const code = codeOf(data?.totp.uri ?? '');
  await owner.mfa.challengeAndVerify({ factorId: data?.id ?? '', code });
  expect(await authErrorOf(auth.getUser())).toBe('403 insufficient_aal');
});

it('TOTP: a session without the second factor cannot change the account', async () => {
  const owner = await withTotp();
  const second = await owner.mfa.enroll({ factorType: 'totp', friendlyName: 'spare' });
  const { auth } = host.client();
  await auth.signInWithPassword({ email: owner.email, password: PASSWORD });
  const rejected = { code: 'insufficient_aal' };
  for (const change of [
    { data: { full_name: 'Thief' } },
    { password: 'another horse' },
    { email: 'x@example.test' },
  ])
    expect(await authErrorOf(auth.updateUser(change))).toBe('401 insufficient_aal');
  const third = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'b' });
  expect(await authErrorOf(third)).toBe('403 insufficient_aal');
  for (const factorId of [owner.factorId, second.data?.id ?? ''])
    expect(await authErrorOf(auth.mfa.unenroll({ factorId }))).toBe('422 insufficient_aal');
  for (const scope of ['others', 'global'] as const)
    expect((await auth.signOut({ scope })).error).toMatchObject(rejected);
  // The attacker's requests have failed: the owner's session keeps its rights, and the other session can only log out.
  expect((await owner.mfa.listFactors()).data?.all).toHaveLength(2);
  expect((await owner.client.auth.updateUser({ data: { full_name: 'Dana' } })).error).toBeNull();
  expect((await auth.signOut({ scope: 'local' })).error).toBeNull();
  expect((await owner.client.auth.refreshSession()).error).toBeNull();
  expect((await owner.client.auth.signOut({ scope: 'others' })).error).toBeNull();
});

it('TOTP: after the owner unenrolls the factor, the session returns to level one', async () => {
  const { client, claims, mfa, factorId } = await withTotp();
  expect((await mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
  await client.auth.refreshSession();
  expect(await claims()).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
  expect((await mfa.listFactors()).data?.all).toEqual([]);
});

it('TOTP: the service key can remove a factor', async () => {
  const { client, factorId } = await withTotp();
  const userId = (await client.auth.getUser()).data.user?.id ?? '';
  const { mfa } = host.service().auth.admin;
  expect((await mfa.listFactors({ userId })).data?.factors).toMatchObject([{ id: factorId }]);
  expect((await mfa.deleteFactor({ userId, id: factorId })).error).toBeNull();
  expect((await mfa.listFactors({ userId })).data?.factors).toEqual([]);
});

it('TOTP: names are unique, and an account has at most ten factors', async () => {
  const { mfa } = await user();
  const enroll = (friendlyName: string) => mfa.enroll({ factorType: 'totp', friendlyName });
  for (let i = 0; i < 10; i++) expect((await enroll(`app ${i}`)).error).toBeNull();
  expect(await authErrorOf(enroll('app 3'))).toBe('422 mfa_factor_name_conflict');
  expect(await authErrorOf(enroll('app 10'))).toBe('422 too_many_enrolled_mfa_factors');
  await host.sql(`update auth.mfa_factors set created_at = now() - interval '6 minutes'`);
  expect((await enroll('app 3')).error).toBeNull();
});

it.each(['a:b', '\0', '%', '💚', 'x'.repeat(101)])(
  'TOTP: the issuer %j causes no error',
  async (issuer) => {
    const { mfa } = await user();
    const { error } = await mfa.enroll({ factorType: 'totp', issuer });
    expect(error?.status ?? 200).toBeLessThan(500);
  },
);

const post = async (client: Client, path: string, body = {}) => {
  const token = (await client.auth.getSession()).data.session?.access_token ?? '';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `${host.url}/auth/v1/recovery-codes${path}`;
  const result = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return JSON.parse(await result.text());
};

it('recovery codes: each code works once, and the factor can then be removed', async () => {
  const { client, email, factorId } = await withTotp();
  const { codes } = await post(client, '');
  expect(new Set(codes).size).toBe(10);
  expect(JSON.stringify(await host.sql('select * from auth.mfa_recovery_codes'))).not.toContain(
    codes[0]?.replaceAll('-', ''),
  );

  const again = host.client();
  await again.auth.signInWithPassword({ email, password: PASSWORD });
  expect((await post(again, '')).error_code).toBe('insufficient_aal');
  const typed = { code: ` ${codes[3]?.toLowerCase().replaceAll('-', ' ')}` };
  const stranger = await withTotp();
  expect((await post(stranger.client, '/verify', typed)).error_code).toBe(
    'mfa_verification_failed',
  );
  await again.auth.setSession(await post(again, '/verify', typed));
  expect((await again.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
  expect((await post(again, '/verify', typed)).error_code).toBe('mfa_verification_failed');
  expect((await again.auth.mfa.unenroll({ factorId })).error).toBeNull();
  expect(
    await host.sql('select from auth.mfa_recovery_codes where factor_id = $1', [factorId]),
  ).toEqual([]);
});

it('recovery codes: new codes replace the old ones, require a recent login and cause a mail', async () => {
  const { client, factorId } = await withTotp();
  const { codes } = await post(client, '');
  const mails = () =>
    host.sql`select from auth.account_changes where user_id = (select user_id from auth.mfa_factors where id = ${factorId})`;
  expect(await mails()).toHaveLength(1);
  await post(client, '');
  expect(await mails()).toHaveLength(2);
  expect((await post(client, '/verify', { code: codes[0] })).error_code).toBe(
    'mfa_verification_failed',
  );
  await host.sql(`update auth.sessions set amr = '[]'`);
  expect((await post(client, '')).error_code).toBe('reauthentication_needed');
});

const enroll = async (phone: string) => {
  const someone = await user();
  const { data, error } = await someone.mfa.enroll({ factorType: 'phone', phone });
  return { ...someone, data, error };
};

it("phone: the signed webhook gets one code a minute, and the code raises the session's assurance level", async () => {
  const { mfa, claims, data } = await enroll('+972 50-000-0001');
  expect(data).toMatchObject({ type: 'phone', phone: '+972500000001' });
  const factorId = data?.id ?? '';
  const challenge = await mfa.challenge({ factorId });
  const { headers, body, sms } = lastMessage();
  expect(sms).toMatchObject({ phone: '+972500000001', otp: expect.stringMatching(/^\d{6}$/) });
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(signed);
  expect(headers['webhook-signature']).toBe(`v1,${signature.digest('base64')}`);

  expect(await authErrorOf(mfa.challenge({ factorId }))).toBe('429 over_sms_send_rate_limit');

  const challengeId = challenge.data?.id ?? '';
  const verify = (code: string) => mfa.verify({ factorId, challengeId, code });
  expect((await verify(wrong(sms.otp))).error).toMatchObject({ code: 'mfa_verification_failed' });
  expect((await verify(sms.otp)).error).toBeNull();
  expect(await claims()).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/phone' }, {}] });
  expect((await verify(sms.otp)).error).toMatchObject({ status: 404 });
});

it('phone: a failure of the webhook is returned as an error', async () => {
  webhookStatus = 500;
  const { mfa, data } = await enroll('+972500000003');
  expect(await authErrorOf(mfa.challenge({ factorId: data?.id ?? '' }))).toBe(
    '422 sms_send_failed',
  );
  // The operator's log contains the reason, but neither the number nor the code.
  const { log, lines } = startLog();
  const sending = sendCode(
    { settings: host.settings, log } as never,
    randomUUID(),
    '+972500000003',
    '123456',
  );
  await expect(sending).rejects.toMatchObject({ code: 'sms_send_failed' });
  expect(lines).toMatchObject([{ msg: 'the SMS webhook failed', error: 'status 500' }]);
  expect(JSON.stringify(lines)).not.toMatch(/97250|123456/);
  webhookStatus = 200;
});

it.each(['', '+0', 'abc', '+9725000000000000000'])(
  'phone: the number %j is rejected',
  async (phone) => {
    expect(await authErrorOf(enroll(phone))).toBe('400 validation_failed');
  },
);

it('phone: an enrolment that was started with only the password cannot bypass a factor that was verified meanwhile', async () => {
  const { email, data: left, mfa } = await enroll('+972500000005');
  const factorId = left?.id ?? '';
  const { data: own } = await mfa.enroll({ factorType: 'totp', friendlyName: 'own' });
  const thief = host.client().auth;
  await thief.signInWithPassword({ email, password: PASSWORD });
  const { data: early } = await thief.mfa.challenge({ factorId });
  const { otp } = lastMessage().sms;
  const finished = await mfa.challengeAndVerify({
    factorId: own?.id ?? '',
    code: codeOf(own?.totp.uri ?? ''),
  });
  expect(finished.error).toBeNull();

  await thief.signInWithPassword({ email, password: PASSWORD });
  const rejected = { status: 403, code: 'insufficient_aal' };
  expect((await thief.mfa.challenge({ factorId })).error).toMatchObject(rejected);
  const challengeId = early?.id ?? '';
  const verified = await thief.mfa.verify({ factorId, challengeId, code: otp });
  expect(verified.error).toMatchObject(rejected);
  expect((await mfa.verify({ factorId, challengeId, code: otp })).error).toBeNull();
});

it('phone: factors are disabled without a webhook', async () => {
  const plain = await startTestHost();
  const { auth } = plain.client();
  await auth.signUp({ email: 'plain@example.test', password: PASSWORD });
  expect(await authErrorOf(auth.mfa.enroll({ factorType: 'phone', phone: '+972500000004' }))).toBe(
    '422 mfa_phone_enroll_not_enabled',
  );
});
