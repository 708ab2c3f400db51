// Tests signup, login, refresh, logout and the user's own account with the official client.
import { decodeJwt } from 'jose';
import { expect, it, onTestFinished, test, vi } from 'vitest';
import { authErrorOf, startTestHost } from '../../../../testing/test-host.ts';
import { FairSemaphore, FullError } from '#/host/limits/fair-semaphore.ts';

const host = await startTestHost({ AUTH_RATE_LIMIT: '1000' });

const PASSWORD = 'correct horse';
let count = 0;
const newEmail = () => `dog${++count}@example.test`;

async function signedUp(data = {}) {
  const client = host.client();
  const email = newEmail();
  const result = await client.auth.signUp({ email, password: PASSWORD, options: { data } });
  if (!result.data.session || !result.data.user) throw new Error(String(result.error));
  return { client, email, session: result.data.session, user: result.data.user };
}

/** Sends a request without the client, for requests and responses that the client does not support. */
async function raw(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(`${host.url}/auth/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const content = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: content && JSON.parse(content),
  };
}

const refresh = (refresh_token: string) =>
  raw('POST', '/token?grant_type=refresh_token', { refresh_token });

test('the service reports its name and its settings', async () => {
  expect((await raw('GET', '/health')).body).toMatchObject({ name: 'GoTrue' });
  expect((await raw('GET', '/settings')).body).toMatchObject({
    external: { email: true, google: false },
    disable_signup: false,
    mailer_autoconfirm: true,
  });
});

it('signup: returns a session in GoTrue’s format, with its claims', async () => {
  const { session, user, email } = await signedUp({ full_name: 'Dana' });
  expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
  expect(session.expires_at).toBeGreaterThan(Date.now() / 1000 + 3500);
  expect(user).toMatchObject({
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    is_anonymous: false,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { full_name: 'Dana', email, email_verified: false, sub: user.id },
  });
  expect(user.identities).toHaveLength(1);
  expect(user.identities?.[0]).toMatchObject({
    id: user.id,
    user_id: user.id,
    provider: 'email',
    email,
  });
  for (const time of [user.created_at, user.confirmed_at, user.last_sign_in_at])
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
  expect(decodeJwt(session.access_token)).toMatchObject({
    iss: `${host.url}/auth/v1`,
    sub: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
    is_anonymous: false,
    session_id: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

it('signup: a taken email is rejected, in upper or lower case, if emails are not confirmed', async () => {
  const { email } = await signedUp();
  expect(
    await authErrorOf(
      host.client().auth.signUp({ email: email.toUpperCase(), password: PASSWORD }),
    ),
  ).toBe('422 user_already_exists');
});

it('signup: two concurrent signups create one account', async () => {
  const email = newEmail();
  const results = await Promise.all(
    [1, 2].map(() => host.client().auth.signUp({ email, password: PASSWORD })),
  );
  expect(results.filter(({ error }) => error === null)).toHaveLength(1);
  expect(await host.sql('select from auth.users where email = $1', [email])).toHaveLength(1);
});

it('signup: a short password is rejected with its reason', async () => {
  const { error } = await host.client().auth.signUp({ email: newEmail(), password: 'short' });
  expect(error).toMatchObject({
    status: 422,
    code: 'weak_password',
    name: 'AuthWeakPasswordError',
    reasons: ['length'],
  });
});

it('signup: a password can have 256 characters, but not more', async () => {
  const password = 'x'.repeat(256);
  const email = newEmail();
  const client = host.client();
  expect((await client.auth.signUp({ email, password })).error).toBeNull();
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  const longer = { email: newEmail(), password: `${password}x` };
  expect(await authErrorOf(client.auth.signUp(longer))).toBe('422 validation_failed');
});

it.each(['nobody', 'a@b', 'a b@example.test', '@example.test', `${'x'.repeat(260)}@example.test`])(
  'signup: the email %s is rejected',
  async (email) => {
    expect(await authErrorOf(host.client().auth.signUp({ email, password: PASSWORD }))).toBe(
      '400 validation_failed',
    );
  },
);

it('signup: anonymous and phone accounts are rejected', async () => {
  const anonymous = await host.client().auth.signInAnonymously();
  expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
  const phone = await host.client().auth.signUp({ phone: '+97250000000', password: PASSWORD });
  expect(phone.error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
});

it('login: a wrong password and an unknown email return the same error', async () => {
  const { email } = await signedUp();
  for (const attempt of [email, newEmail()]) {
    const { error } = await host
      .client()
      .auth.signInWithPassword({ email: attempt, password: 'wrong horse' });
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
  }
});

it('login: returns 429 after ten attempts on one account, and a success resets the count', async () => {
  const { email } = await signedUp();
  const attempt = (password: string) => host.client().auth.signInWithPassword({ email, password });
  for (let i = 0; i < 9; i++) await attempt('wrong horse');
  expect((await attempt(PASSWORD)).error).toBeNull();
  for (let i = 0; i < 10; i++)
    expect((await attempt('wrong horse')).error).toMatchObject({ code: 'invalid_credentials' });
  expect(await authErrorOf(attempt(PASSWORD))).toBe('429 over_request_rate_limit');
});

it('login: returns 429 while too many passwords are waiting to be compared', async () => {
  const { email } = await signedUp();
  const full = vi.spyOn(FairSemaphore.prototype, 'run').mockRejectedValue(new FullError());
  onTestFinished(() => full.mockRestore());
  const attempt = host.client().auth.signInWithPassword({ email, password: PASSWORD });
  expect(await authErrorOf(attempt)).toBe('429 over_request_rate_limit');
});

it('refresh: rotates the token within the session, and concurrent refreshes get the same new token', async () => {
  const { session } = await signedUp();
  const results = await Promise.all([1, 2, 3].map(() => refresh(session.refresh_token)));
  const tokens = new Set(results.map(({ body }) => body.refresh_token));
  expect(tokens.size).toBe(1);
  expect(tokens).not.toContain(session.refresh_token);
  expect(decodeJwt(results[0]?.body.access_token).session_id).toBe(
    decodeJwt(session.access_token).session_id,
  );
});

it.each([1, 2])(
  'refresh: a token that is %i behind returns the current one for ten seconds, and ends the session after that',
  async (behind) => {
    const { session } = await signedUp();
    let current = session.refresh_token;
    for (let i = 0; i < behind; i++) current = (await refresh(current)).body.refresh_token;
    expect((await refresh(session.refresh_token)).body.refresh_token).toBe(current);
    await host.sql(`update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds'`);
    const codes = [];
    for (const token of [session.refresh_token, current]) {
      const { status, body } = await refresh(token);
      codes.push([status, body.error_code]);
    }
    expect(codes).toEqual([
      [400, 'refresh_token_already_used'],
      [400, 'refresh_token_not_found'],
    ]);
  },
);

it('refresh: a forged token is rejected', async () => {
  const { session } = await signedUp();
  const changed = (at: number) => {
    const bytes = Buffer.from(session.refresh_token, 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes.toString('base64url');
  };
  for (const forged of [changed(35), changed(19), changed(0), 'abc', 'x'.repeat(48)])
    expect(await refresh(forged)).toMatchObject({
      status: 400,
      body: { error_code: 'refresh_token_not_found' },
    });
});

it.each([
  ['local', [false, true]],
  ['others', [true, false]],
  ['global', [false, false]],
] as const)('logout: %s ends the right sessions', async (scope, [first, second]) => {
  const { client, email, session } = await signedUp();
  const other = host.client();
  const { data } = await other.auth.signInWithPassword({ email, password: PASSWORD });
  expect((await client.auth.signOut({ scope })).error).toBeNull();
  const works = async (token = '') => (await refresh(token)).status === 200;
  expect(await works(session.refresh_token)).toBe(first);
  expect(await works(data.session?.refresh_token)).toBe(second);
});

it('logout: invalidates the access token, immediately for auth and within seconds for the other services', async () => {
  const { client, session } = await signedUp();
  const stolen = host.client({ token: session.access_token });
  const read = async () => (await stolen.from('notifications').select('id')).status;
  expect(await read()).toBe(200);
  await client.auth.signOut();
  await expect.poll(read).toBe(401);
  expect(
    await raw('GET', '/user', undefined, { authorization: `Bearer ${session.access_token}` }),
  ).toMatchObject({ status: 403, body: { error_code: 'session_not_found' } });
});

it('the user’s account: is returned, and its metadata can be updated', async () => {
  const { client, user } = await signedUp({ full_name: 'Dana', city: 'Haifa' });
  expect((await client.auth.getUser()).data.user?.id).toBe(user.id);
  const { data } = await client.auth.updateUser({ data: { full_name: 'Noa', city: null } });
  expect(data.user?.user_metadata).toMatchObject({ full_name: 'Noa' });
  expect(data.user?.user_metadata).not.toHaveProperty('city');
});

it('the user’s account: a stolen token cannot change credentials without the password', async () => {
  const { client, session, user, email } = await signedUp();
  const age = () =>
    host.sql`update auth.sessions set amr = jsonb_set(amr, '{0,timestamp}', '0') where user_id = ${user.id}`;
  const reauthenticationNeeded = { code: 'reauthentication_needed' };
  const { auth } = client;
  await age();
  expect((await auth.updateUser({ password: 'stolen horse' })).error).toMatchObject(
    reauthenticationNeeded,
  );
  expect((await auth.updateUser({ email: 'thief@example.test' })).error).toMatchObject(
    reauthenticationNeeded,
  );
  expect((await auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(
    reauthenticationNeeded,
  );
  expect((await auth.updateUser({ data: { full_name: 'Dana' } })).error).toBeNull();
  const confirm = (password: string) =>
    raw(
      'POST',
      '/reauthenticate',
      { password },
      { authorization: `Bearer ${session.access_token}` },
    );
  expect((await confirm('a guess')).body).toMatchObject({ error_code: 'invalid_credentials' });
  expect((await auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(
    reauthenticationNeeded,
  );
  expect((await confirm(PASSWORD)).status).toBe(200);
  const { data } = await auth.mfa.enroll({ factorType: 'totp' });
  expect(data?.totp.secret).toBeTruthy();
  expect((await auth.updateUser({ email: `new-${email}` })).error).toBeNull();
  await age();
  for (let n = 0; n < 9; n += 1) await confirm('a guess');
  expect((await confirm(PASSWORD)).status).toBe(429);
});

it('the user’s account: a new password ends other sessions, and the same password is rejected', async () => {
  const { client, email } = await signedUp();
  const other = host.client();
  await other.auth.signInWithPassword({ email, password: PASSWORD });
  expect(await authErrorOf(client.auth.updateUser({ password: PASSWORD }))).toBe(
    '422 same_password',
  );
  expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull();
  expect((await other.auth.refreshSession()).error).toMatchObject({
    code: 'refresh_token_not_found',
  });
  expect((await client.auth.refreshSession()).error).toBeNull();
  const login = await host.client().auth.signInWithPassword({ email, password: 'another horse' });
  expect(login.error).toBeNull();
});

it.each([
  ['no token', {}, 401, 'no_authorization'],
  ['no JWT', { authorization: 'Bearer nonsense' }, 403, 'bad_jwt'],
  ['the anonymous key', { authorization: `Bearer ${host.tokens.anonKey}` }, 403, 'bad_jwt'],
])('the user’s account: is rejected with %s', async (_name, headers, status, code) => {
  expect(await raw('GET', '/user', undefined, headers)).toMatchObject({
    status,
    body: { error_code: code },
  });
});

it('the protocol: errors have two formats, depending on the client’s version', async () => {
  const path = '/token?grant_type=password';
  const body = { email: newEmail(), password: 'x' };
  expect((await raw('POST', path, body)).body).toEqual({
    code: 400,
    error_code: 'invalid_credentials',
    msg: 'Invalid login credentials',
  });
  const now = await raw('POST', path, body, { 'x-supabase-api-version': '2024-01-01' });
  expect(now.body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' });
  expect(now.headers.get('x-sb-error-code')).toBe('invalid_credentials');
  expect(now.headers.get('x-supabase-api-version')).toBe('2024-01-01');
});

it('the protocol: publishes no keys, because tokens are signed with a shared secret', async () => {
  expect((await raw('GET', '/.well-known/jwks.json')).body).toEqual({ keys: [] });
});

it.each([
  ['POST', '/signup', '{', 400],
  ['POST', '/signup', '[]', 422],
  ['POST', '/signup', 'null', 400],
  ['POST', '/signup', { email: 5 }, 400],
  ['POST', '/signup', { email: 'nul\0@example.test', password: PASSWORD }, 400],
  ['POST', '/signup', { email: 'n@example.test', password: PASSWORD, data: { a: '\0' } }, 422],
  [
    'POST',
    '/signup',
    { email: 'm@example.test', password: PASSWORD, data: { a: 'x'.repeat(9000) } },
    400,
  ],
  ['POST', '/signup', 'x'.repeat(200_000), 413],
  ['POST', '/token?grant_type=constructor', {}, 400],
  [
    'POST',
    '/token?grant_type=password',
    { email: 'a@example.test', password: 'x'.repeat(9000) },
    400,
  ],
  ['POST', '/token', {}, 400],
  ['GET', '/token', undefined, 405],
  ['POST', '/nowhere', {}, 404],
  ['POST', '/logout?scope=all', {}, 400],
])(
  'the protocol: %s %s is rejected with a client error (%#)',
  async (method, path, body, status) => {
    expect((await raw(method, path, body)).status).toBe(status);
  },
);

it('settings: AUTH_SIGNUP=false closes signup', async () => {
  const closed = await startTestHost({ AUTH_SIGNUP: 'false' });
  expect(
    await authErrorOf(closed.client().auth.signUp({ email: newEmail(), password: PASSWORD })),
  ).toBe('422 signup_disabled');
});

it('settings: SESSION_MAX_HOURS and SESSION_IDLE_HOURS end a session', async () => {
  const strict = await startTestHost({ SESSION_MAX_HOURS: '48', SESSION_IDLE_HOURS: '2' });
  const client = strict.client();
  await client.auth.signUp({ email: newEmail(), password: PASSWORD });
  await strict.sql(`update auth.sessions set created_at = now() - interval '3 hours'`);
  const expired = { status: 400, code: 'session_expired' };
  expect((await client.auth.refreshSession()).error).toMatchObject(expired);
  await strict.sql`update auth.sessions set created_at = now() - interval '50 hours', refreshed_at = now()`;
  expect((await client.auth.refreshSession()).error).toMatchObject(expired);
});

it('settings: wrong passwords lock out the attacker’s IP and not the owner elsewhere; AUTH_RATE_LIMIT limits one IP', async () => {
  const proxied = await startTestHost({ TRUST_PROXY: 'true', AUTH_RATE_LIMIT: '11' });
  const owner = newEmail();
  const attempt = (password: string, ip: string, email = owner) =>
    fetch(`${proxied.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: {
        apikey: proxied.tokens.anonKey,
        'content-type': 'application/json',
        'x-forwarded-for': ip,
      },
      body: JSON.stringify({ email, password }),
    }).then(({ status }) => status);
  await proxied.client().auth.signUp({ email: owner, password: PASSWORD });
  for (let i = 0; i < 10; i++) expect(await attempt('wrong horse', '2001:db8::1')).toBe(400);
  for (let i = 0; i < 95; i++) expect(await attempt(PASSWORD, '2001:db8::a:b:c:d')).toBe(429);
  // Using another user's IP address as the email must not use up that IP's limit.
  for (let i = 0; i < 12; i++) await attempt('no', `198.51.100.${i % 2}`, '203.0.113.9');
  expect(await attempt(PASSWORD, '203.0.113.9')).toBe(200);
  for (let i = 0; i < 11; i++) expect(await attempt('no', '203.0.113.10', newEmail())).toBe(400);
  expect(await attempt('no', '203.0.113.10', newEmail())).toBe(429);
});
