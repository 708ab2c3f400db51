// Tests logins with Google and Apple, with the official client and a local OpenID provider.
import { createHash } from 'node:crypto';
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import {
  browse,
  startIdentityProvider,
  type IdentityProvider,
} from '../../../../testing/identity-provider.ts';
import { atEnd } from '../../../../testing/at-end.ts';
import { pkceClient } from '../../../../testing/pkce-client.ts';
import { authErrorOf, startTestHost, type TestHost } from '../../../../testing/test-host.ts';

const [google, apple] = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
atEnd(google.close);
atEnd(apple.close);
const keys = await generateKeyPair('ES256', { extractable: true });
const host = await startTestHost({
  AUTH_RATE_LIMIT: '1000',
  GOOGLE_CLIENT_ID: 'google-web,google-android',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GOOGLE_ISSUER: google.issuer,
  APPLE_CLIENT_ID: 'apple-web,test.packpark.app',
  APPLE_TEAM_ID: 'TEAM',
  APPLE_KEY_ID: 'KEY',
  APPLE_PRIVATE_KEY: (await exportPKCS8(keys.privateKey)).replaceAll('\n', '\\n'),
  APPLE_ISSUER: apple.issuer,
});
const redirectUri = `${host.url}/auth/v1/callback`;
google.register({ id: 'google-web', secret: 'google-secret', redirectUri });
const secretKey = { ...(await exportJWK(keys.publicKey)), kid: 'KEY' };
apple.register({ id: 'apple-web', secret: 'unused', redirectUri, secretKey });

const PASSWORD = 'correct horse';
let count = 0;

function somebody(idp: IdentityProvider, more = {}) {
  const id = `account${++count}`;
  const account = {
    email: `${id}@example.test`,
    email_verified: true,
    name: `Name ${id}`,
    ...more,
  };
  idp.users.set(id, account);
  idp.loggedInAs = id;
  return { id, ...account };
}

async function startUrl(
  provider: 'google' | 'apple',
  client: ReturnType<TestHost['client']> | ReturnType<typeof pkceClient> = host.client(),
  redirectTo = `${host.url}/auth-callback`,
) {
  const { data } = await client.auth.signInWithOAuth({
    provider,
    options: { redirectTo, skipBrowserRedirect: true },
  });
  return data.url ?? '';
}
const inFragment = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)));

/** Logs in with the implicit flow. Returns the redirect target and the user. */
async function signIn(provider: 'google' | 'apple', beforePost?: (form: URLSearchParams) => void) {
  const client = host.client();
  const target = await browse(await startUrl(provider, client), host.url, beforePost);
  const { access_token = '', refresh_token = '', ...rest } = inFragment(target);
  const { data } = access_token
    ? await client.auth.setSession({ access_token, refresh_token })
    : { data: { user: null } };
  return { target, client, user: data.user, rest };
}
const admin = () => host.service().auth.admin;

it('Google: the user selects an account, with PKCE and a nonce; the first sign-in creates the account and the second finds it', async () => {
  const account = somebody(google, { picture: 'https://pictures.test/1' });
  const { target, user, rest } = await signIn('google');
  expect(target.pathname).toBe('/auth-callback');
  expect(google.parameters.get('prompt')).toBe('select_account');
  expect(google.parameters.get('code_challenge_method')).toBe('S256');
  expect(google.parameters.get('nonce')).toBeTruthy();
  expect(rest).toMatchObject({ token_type: 'bearer', provider_token: expect.any(String) });
  expect(user).toMatchObject({
    email: account.email,
    app_metadata: { provider: 'google', providers: ['google'] },
    user_metadata: { full_name: account.name, avatar_url: 'https://pictures.test/1' },
    identities: [{ provider: 'google', id: account.id }],
  });
  expect(user?.email_confirmed_at).toBeTruthy();
  const [profile] = await host.sql('select name from public.users where id = $1', [user?.id]);
  expect(profile).toEqual({ name: account.name });
  expect((await signIn('google')).user?.id).toBe(user?.id);
});

it('Google: PKCE towards the app works and returns the provider’s token', async () => {
  const account = somebody(google);
  const client = pkceClient(host);
  const target = await browse(await startUrl('google', client), host.url);
  expect(target.hash).toBe('');
  const { data, error } = await client.auth.exchangeCodeForSession(
    target.searchParams.get('code') ?? '',
  );
  expect(error).toBeNull();
  expect(data.user?.email).toBe(account.email);
  expect(data.session?.provider_token).toBeTruthy();
});

it('Google: redirects into the app, but never to a URL that is not allowed', async () => {
  somebody(google);
  const back = async (parameters: string) =>
    (await browse(await startUrl('google', host.client(), parameters), host.url)).href;
  expect(await back('packpark://auth-callback')).toMatch(
    /^packpark:\/\/auth-callback#access_token=/,
  );
  expect(new URL(await back('https://evil.test/')).origin).toBe(host.url);
});

it('Google: a cancelled login returns access_denied', async () => {
  google.loggedInAs = null;
  const { target } = await signIn('google');
  expect(inFragment(target)).toMatchObject({
    error: 'access_denied',
    error_description: 'The person pressed cancel',
  });
});

it('Google: a callback is rejected if it is repeated, forged, late or was not requested', async () => {
  somebody(google);
  const results: string[] = [];
  const rejected = async (url: string) => {
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(302);
    return inFragment(new URL(response.headers.get('location') ?? ''));
  };
  const url = await startUrl('google');
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    if (String(input).includes('/auth/v1/callback')) results.push(String(input));
    return original(input, init);
  };
  await browse(url, host.url).finally(() => (globalThis.fetch = original));
  expect(results).toHaveLength(1);
  expect(await rejected(results[0] ?? '')).toMatchObject({ error_code: 'bad_oauth_state' });
  const callback = `${host.url}/auth/v1/callback`;
  expect(await rejected(`${callback}?code=x`)).toMatchObject({ error_code: 'bad_oauth_state' });
  const begin = async () => {
    const begun = await fetch(await startUrl('google'), { redirect: 'manual' });
    return new URL(begun.headers.get('location') ?? '').searchParams.get('state');
  };
  expect(await rejected(`${callback}?code=x&state=${await begin()}`)).toMatchObject({
    error_code: 'bad_oauth_callback',
  });
  const late = await begin();
  await host.sql`update auth.flow_state set created_at = now() - interval '11 minutes' where id = ${late}`;
  expect(await rejected(`${callback}?code=x&state=${late}`)).toMatchObject({
    error_code: 'bad_oauth_state',
  });
});

it('linking by email: adds Google to an account whose email is verified', async () => {
  const account = somebody(google);
  const { data } = await admin().createUser({
    email: account.email,
    password: PASSWORD,
    email_confirm: true,
  });
  const { user } = await signIn('google');
  expect(user?.id).toBe(data.user?.id);
  expect(user?.app_metadata.providers).toEqual(['email', 'google']);
  const login = await host
    .client()
    .auth.signInWithPassword({ email: account.email, password: PASSWORD });
  expect(login.error).toBeNull();
});

it('linking by email: the owner receives a mail that reverts it', async () => {
  const { email } = somebody(google);
  await admin().createUser({ email, password: PASSWORD, email_confirm: true });
  const { user } = await signIn('google');
  await signIn('google');
  const links = () =>
    host.sql<{
      link: string;
    }>`select substring(plain from 'http\\S+token=\\S+') as link from auth.local_mails where recipient = ${email}`;
  await expect.poll(links).toHaveLength(1);
  expect((await fetch((await links())[0]?.link ?? '', { method: 'POST' })).status).toBe(200);
  const logins = await host.sql`select provider from auth.identities where user_id = ${user?.id}`;
  expect(logins).toEqual([{ provider: 'email' }]);
});

it('linking by email: keeps the second factor of an account whose owner has another email at the provider by now', async () => {
  const { email, id } = somebody(google);
  const { user } = await signIn('google');
  await host.sql`insert into auth.mfa_factors (user_id, factor_type, status) values (${user?.id}, 'totp', 'verified')`;
  google.users.set(id, { email: 'changed@example.test', email_verified: true });
  expect((await signIn('google')).user?.id).toBe(user?.id);
  somebody(apple, { email });
  const again = await signIn('apple');
  expect(again.user?.id).toBe(user?.id);
  expect(again.user?.factors).toHaveLength(1);
  expect(again.user?.app_metadata.providers).toEqual(['google', 'apple']);
});

it('linking by email: removes the credentials of an account whose email was not verified', async () => {
  const account = somebody(google);
  const thief = host.client();
  await thief.auth.signUp({ email: account.email, password: PASSWORD });
  expect((await thief.rpc('make_calendar_feed')).error).toBeNull();
  const { user, client } = await signIn('google');
  expect((await client.rpc('my_calendar_feed')).data).toBeNull();
  expect(user?.identities?.map(({ provider }) => provider)).toEqual(['google']);
  expect((await thief.auth.refreshSession()).error).not.toBeNull();
  const login = await thief.auth.signInWithPassword({ email: account.email, password: PASSWORD });
  expect(login.error).toMatchObject({ code: 'invalid_credentials' });
});

it('linking by email: deletes pending sign-ins and provider tokens of the previous owner', async () => {
  somebody(apple);
  const { user } = await signIn('apple');
  const thief = pkceClient(host);
  const target = await browse(await startUrl('apple', thief), host.url);
  const { email } = somebody(google);
  await admin().updateUserById(user?.id ?? '', { email });
  expect((await signIn('google')).user?.id).toBe(user?.id);
  const code = target.searchParams.get('code') ?? '';
  const { error } = await thief.auth.exchangeCodeForSession(code);
  expect(error).toMatchObject({ code: 'flow_state_not_found' });
  expect(await host.sql('select from auth.provider_tokens where user_id = $1', [user?.id])).toEqual(
    [],
  );
});

it('linking by email: requires an email that the provider has verified', async () => {
  somebody(google, { email_verified: false });
  expect(inFragment((await signIn('google')).target)).toMatchObject({
    error_code: 'provider_email_needs_verification',
  });
});

it('linking by email: rejects a banned account', async () => {
  somebody(google);
  const { user } = await signIn('google');
  await admin().updateUserById(user?.id ?? '', { ban_duration: '1h' });
  expect(inFragment((await signIn('google')).target)).toMatchObject({
    error: 'access_denied',
    error_code: 'user_banned',
  });
});

const postName = (form: URLSearchParams) =>
  form.set('user', JSON.stringify({ name: { firstName: 'Noa', lastName: 'Levi' } }));

it('Apple: posts its response, which has the name only the first time', async () => {
  const account = somebody(apple);
  const { user } = await signIn('apple', postName);
  expect(apple.parameters.get('response_mode')).toBe('form_post');
  expect(user).toMatchObject({
    email: account.email,
    app_metadata: { provider: 'apple' },
    user_metadata: { full_name: 'Noa Levi' },
  });
  const again = await signIn('apple');
  expect(again.user).toMatchObject({ id: user?.id, user_metadata: { full_name: 'Noa Levi' } });
});

it('Google: a name of any length and with NUL causes no error', async () => {
  somebody(google, { name: `A\0na${'x'.repeat(50_000)}` });
  const { user } = await signIn('google');
  const [profile] = await host.sql('select name from public.users where id = $1', [user?.id]);
  expect(profile).toEqual({ name: expect.stringMatching(/^Anax+$/) });
});

it.each(['{', '[]', '{"name":5}', `{"name":{"firstName":"${'x'.repeat(500)}"}}`])(
  'Apple: the posted user %.20s causes no error',
  async (posted) => {
    somebody(apple);
    const { user } = await signIn('apple', (form) => form.set('user', posted));
    expect(user).not.toBeNull();
  },
);

it('Apple: the token is revoked when the account is deleted', async () => {
  somebody(apple);
  const { user } = await signIn('apple');
  const [stored] = await host.sql<{ refresh_token: string }>(
    'select refresh_token from auth.provider_tokens where user_id = $1',
    [user?.id],
  );
  expect(stored?.refresh_token).toMatch(/^[\w+/]{40,}=*$/);
  const before = apple.revoked.length;
  expect((await admin().deleteUser(user?.id ?? '')).error).toBeNull();
  expect(apple.revoked.length).toBe(before + 1);
});

const withToken = async (claims: Record<string, unknown>, more = {}) =>
  host.client().auth.signInWithIdToken({
    provider: 'apple',
    token: await apple.idToken({ aud: 'test.packpark.app', ...claims }),
    ...more,
  });
const claims = () => {
  const id = `native${++count}`;
  return { sub: id, email: `${id}@example.test`, email_verified: 'true' };
};
const hashed = (nonce: string) => createHash('sha256').update(nonce).digest('hex');

it('ID tokens of native apps: open the same account as the redirect', async () => {
  const account = somebody(apple);
  const { user } = await signIn('apple');
  const { data, error } = await withToken(
    { sub: account.id, email: account.email, email_verified: 'true', nonce: hashed('raw') },
    { nonce: 'raw' },
  );
  expect(error).toBeNull();
  expect(data.user?.id).toBe(user?.id);
});

it('ID tokens of native apps: an email that only looks like that of an account opens another account', async () => {
  const emails = ['réne', 'rÉne'].map((name) => `${name}@example.test`);
  const opened = emails.map(async (email) => withToken({ ...claims(), email }));
  const ids = await Promise.all(opened.map(async (result) => (await result).data.user?.id));
  expect(new Set([...ids, undefined]).size).toBe(3);
});

it('ID tokens of native apps: are rejected if they are invalid', async () => {
  expect(await authErrorOf(withToken({ ...claims(), aud: 'another app' }))).toBe(
    '400 unexpected_audience',
  );
  const foreign = await google.idToken({ ...claims(), iss: apple.issuer, aud: 'apple-web' });
  const { auth } = host.client();
  for (const result of [
    withToken({ ...claims(), iss: 'https://evil.test' }),
    withToken({ ...claims(), exp: 1 }),
    withToken({ ...claims(), nonce: hashed('raw') }),
    withToken(claims(), { nonce: 'raw' }),
    withToken({ ...claims(), nonce: hashed('other') }, { nonce: 'raw' }),
    auth.signInWithIdToken({ provider: 'apple', token: foreign }),
    auth.signInWithIdToken({ provider: 'apple', token: 'x.y.z' }),
  ])
    expect(await authErrorOf(result)).toBe('400 validation_failed');
});

it('settings: both providers are off by default', async () => {
  const plain = await startTestHost();
  const { auth } = plain.client();
  const response = await fetch(`${plain.url}/auth/v1/authorize?provider=google`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error_code: 'validation_failed',
    msg: 'Unsupported provider: provider is not enabled',
  });
  expect(await authErrorOf(auth.signInWithIdToken({ provider: 'apple', token: 'x' }))).toBe(
    '400 provider_disabled',
  );
});

it('settings: an unreachable provider redirects back with an error', async () => {
  const alone = await startTestHost({
    GOOGLE_CLIENT_ID: 'id',
    GOOGLE_CLIENT_SECRET: 'secret',
    GOOGLE_ISSUER: 'http://127.0.0.1:9',
  });
  const target = await browse(`${alone.url}/auth/v1/authorize?provider=google`, alone.url);
  expect(inFragment(target)).toMatchObject({ error: 'temporarily_unavailable' });
  const { error } = await alone
    .client()
    .auth.signInWithIdToken({ provider: 'google', token: 'x.y.z' });
  expect(error).toMatchObject({ status: 503 });
});

it('settings: with signup closed only existing users can log in', async () => {
  const closed = await startTestHost({
    AUTH_SIGNUP: 'false',
    APPLE_CLIENT_ID: 'test.packpark.app',
    APPLE_ISSUER: apple.issuer,
  });
  const token = await apple.idToken({
    aud: 'test.packpark.app',
    sub: 'new',
    email: 'new@example.test',
    email_verified: true,
  });
  expect(
    await authErrorOf(closed.client().auth.signInWithIdToken({ provider: 'apple', token })),
  ).toBe('422 signup_disabled');
});
