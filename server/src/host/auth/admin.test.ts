// Tests the routes that need the service key: accounts, bans, invitations, links and other users' factors.
import { expect, it } from 'vitest';
import { pressLink, startMailServer } from '../../../../testing/mail-server.ts';
import { authErrorOf, startTestHost } from '../../../../testing/test-host.ts';

const mail = await startMailServer();
const host = await startTestHost({ SMTP_URL: mail.url, AUTH_MAIL_INTERVAL: '0' });

const PASSWORD = 'correct horse';
let count = 0;
const newEmail = () => `admin${++count}@example.test`;
const admin = () => host.service().auth.admin;
const login = (email: string, password = PASSWORD) =>
  host.client().auth.signInWithPassword({ email, password });

async function newUser(extra = {}) {
  const email = newEmail();
  const { data, error } = await admin().createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    ...extra,
  });
  if (!data.user) throw error;
  return { email, id: data.user.id, user: data.user };
}

it('accounts: a new account has metadata and can log in', async () => {
  const { email, user } = await newUser({
    user_metadata: { full_name: 'Dana' },
    app_metadata: { moderator: true },
  });
  expect(user).toMatchObject({
    email,
    user_metadata: { full_name: 'Dana' },
    app_metadata: { provider: 'email', providers: ['email'], moderator: true },
  });
  expect((await login(email)).error).toBeNull();
});

it('accounts: an account can be imported with its id and bcrypt hash; the first login replaces the hash by argon2id', async () => {
  const email = newEmail();
  const id = '0b6f3a52-1c5e-4c7d-9a3b-0d1e2f3a4b5c';
  const { data } = await admin().createUser({
    id,
    email,
    email_confirm: true,
    // A bcrypt hash of 'correct horse', as in an export from another service.
    password_hash: (await import('bcryptjs')).hashSync(PASSWORD, 4),
  });
  expect(data.user?.id).toBe(id);
  for (const stored of ['$2', '$argon2id$v=19$m=19456,t=2,p=1$']) {
    const [row] = await host.sql<{ encrypted_password: string }>(
      'select encrypted_password from auth.users where id = $1',
      [id],
    );
    expect(row?.encrypted_password.startsWith(stored)).toBe(true);
    expect((await login(email)).error).toBeNull();
  }
});

it('accounts: unsupported attributes are rejected', async () => {
  const { id } = await newUser();
  expect((await admin().updateUserById(id, { phone: '+972500000000' })).error).toMatchObject({
    code: 'phone_provider_disabled',
  });
  expect((await admin().updateUserById(id, { role: 'service_role' })).error).toMatchObject({
    status: 422,
  });
  expect((await admin().updateUserById(id, { role: 'authenticated' })).error).toBeNull();
});

it('accounts: two accounts cannot have the same email', async () => {
  const { email } = await newUser();
  const { error } = await admin().createUser({ email });
  expect(error).toMatchObject({ status: 422, code: 'email_exists' });
  const other = await newUser();
  const changed = await admin().updateUserById(other.id, { email });
  expect(changed.error).toMatchObject({ status: 422, code: 'email_exists' });
});

it('accounts: the list is paginated', async () => {
  for (let i = 0; i < 3; i++) await newUser();
  const first = await admin().listUsers({ page: 1, perPage: 2 });
  expect(first.data.users).toHaveLength(2);
  expect(first.data).toMatchObject({ nextPage: 2, aud: 'authenticated' });
  const [row] = await host.sql<{ count: number }>('select count(*)::int from auth.users');
  expect('total' in first.data && first.data.total).toBe(row?.count);
  const second = await admin().listUsers({ page: 2, perPage: 2 });
  expect(second.data.users[0]?.id).not.toBe(first.data.users[0]?.id);
});

it('accounts: an account can be read and changed', async () => {
  const { email, id } = await newUser({ user_metadata: { city: 'Haifa', full_name: 'Noa' } });
  expect((await admin().getUserById(id)).data.user?.email).toBe(email);
  // The new password cancels the pending change of email.
  await admin().generateLink({ type: 'email_change_new', email, newEmail: newEmail() });
  const next = newEmail();
  const { data } = await admin().updateUserById(id, {
    email: next,
    email_confirm: true,
    password: 'another horse',
    user_metadata: { city: null },
  });
  expect(data.user).toMatchObject({ email: next, user_metadata: { full_name: 'Noa' } });
  expect(data.user?.user_metadata).not.toHaveProperty('city');
  expect(data.user?.new_email).toBeUndefined();
  expect((await login(next, 'another horse')).error).toBeNull();
});

it('accounts: an unknown id returns 404', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const missing = { status: 404, code: 'user_not_found' };
  expect((await admin().getUserById(id)).error).toMatchObject(missing);
  expect((await admin().updateUserById(id, {})).error).toMatchObject(missing);
  expect((await admin().deleteUser(id)).error).toMatchObject(missing);
});

it('accounts: deleting an account deletes its sessions', async () => {
  const { email, id } = await newUser();
  const client = host.client();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect((await admin().deleteUser(id)).error).toBeNull();
  expect(await authErrorOf(client.auth.getUser())).toBe('403 user_not_found');
  expect((await client.auth.refreshSession()).error).toMatchObject({
    code: 'refresh_token_not_found',
  });
  expect((await login(email)).error).toMatchObject({ code: 'invalid_credentials' });
});

it('accounts: a soft deletion keeps only the id', async () => {
  const { email, id } = await newUser({ user_metadata: { full_name: 'Dana' } });
  await admin().deleteUser(id, true);
  const { data } = await admin().getUserById(id);
  expect(data.user).toMatchObject({ id, email: '', user_metadata: {}, identities: [] });
  expect((await login(email)).error).toMatchObject({ code: 'invalid_credentials' });
});

it('bans: a ban blocks login and refresh until it is revoked, and only a caller with the password learns of it', async () => {
  const { email, id } = await newUser();
  const client = host.client();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  const { data } = await admin().updateUserById(id, { ban_duration: '1h30m' });
  expect(Date.parse(data.user?.banned_until ?? '') - Date.now()).toBeGreaterThan(80 * 60_000);
  const banned = { status: 400, code: 'user_banned' };
  expect((await login(email)).error).toMatchObject(banned);
  expect((await login(email, 'wrong')).error).toMatchObject({ code: 'invalid_credentials' });
  expect((await client.auth.refreshSession()).error).toMatchObject(banned);
  await admin().updateUserById(id, { ban_duration: 'none' });
  expect((await login(email)).error).toBeNull();
});

it('bans: a ban invalidates the access token for REST, storage and auth within seconds', async () => {
  const { email, id } = await newUser({ user_metadata: { age_confirmed: true } });
  const client = host.client();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  const write = () => client.from('users').update({ hidden: true }).eq('id', id);
  expect((await write()).error).toBeNull();
  await admin().updateUserById(id, { ban_duration: '1h' });
  await expect.poll(async () => (await write()).status).toBe(401);
  expect((await client.storage.from('users').list(id)).error).not.toBeNull();
  expect((await client.auth.getUser()).error).toMatchObject({ code: 'user_banned' });
});

it('bans: permanent bans work, and invalid durations are rejected', async () => {
  const { email, id } = await newUser({ ban_duration: '999999999h' });
  expect((await login(email)).error).toMatchObject({ code: 'user_banned' });
  await host.sql(`update auth.users set banned_until = 'infinity' where id = $1`, [id]);
  expect((await admin().getUserById(id)).data.user?.banned_until).toBe('9999-12-31T23:59:59.000Z');
  expect(await authErrorOf(admin().updateUserById(id, { ban_duration: 'a while' }))).toBe(
    '400 validation_failed',
  );
});

it('invitations and links: an invited user receives a mail and then chooses a password', async () => {
  const email = newEmail();
  const { data, error } = await admin().inviteUserByEmail(email, { data: { language: 'he' } });
  expect(error).toBeNull();
  expect(data.user?.invited_at).toBeTruthy();
  const received = await mail.take(email);
  expect(received.subject).toBe('הוזמנתם ל־Packpark');
  const client = host.client();
  const token_hash = new URL(received.link).searchParams.get('token') ?? '';
  expect((await client.auth.verifyOtp({ token_hash, type: 'invite' })).error).toBeNull();
  expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
  expect((await login(email)).error).toBeNull();
  expect((await admin().inviteUserByEmail(email)).error).toMatchObject({ code: 'email_exists' });
});

it.each(['signup', 'invite', 'magiclink', 'recovery'] as const)(
  'invitations and links: a %s link is created without being sent',
  async (type) => {
    const email = type === 'recovery' ? (await newUser()).email : newEmail();
    const { data, error } = await admin().generateLink({
      type,
      email,
      password: PASSWORD,
      options: { redirectTo: 'packpark://auth-callback' },
    } as Parameters<ReturnType<typeof admin>['generateLink']>[0]);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect(data.properties).toMatchObject({
      verification_type: type,
      redirect_to: 'packpark://auth-callback',
      email_otp: expect.stringMatching(/^\d{6}$/),
    });
    const opened = await pressLink(data.properties?.action_link ?? '');
    expect(opened.headers.get('location')).toMatch(/^packpark:\/\/auth-callback#access_token=/);
    // Mails are sent in order, so after the mail of this later request, no mail of the earlier request can follow.
    const other = (await newUser()).email;
    await host.client().auth.resetPasswordForEmail(other);
    await mail.take(other);
    expect(mail.mails.filter(({ to }) => to === email)).toEqual([]);
  },
);

it('invitations and links: a change of email gets both links', async () => {
  const { email, id } = await newUser();
  const newEmailAddress = newEmail();
  const token = async (type: 'email_change_current' | 'email_change_new') =>
    (await admin().generateLink({ type, email, newEmail: newEmailAddress })).data.properties
      ?.hashed_token ?? '';
  const follow = (token_hash: string) =>
    host.client().auth.verifyOtp({ token_hash, type: 'email_change' });
  // A link of the cancelled change of email is still valid, but must not set the email to ''.
  const left = await token('email_change_current');
  await host.sql(`update auth.users set email_change = '' where id = $1`, [id]);
  expect(await authErrorOf(follow(left))).toBe('403 otp_expired');
  for (const link of [await token('email_change_current'), await token('email_change_new')])
    await follow(link);
  expect((await admin().getUserById(id)).data.user?.email).toBe(newEmailAddress);
});

it('invitations and links: an unknown account cannot be recovered', async () => {
  expect(await authErrorOf(admin().generateLink({ type: 'recovery', email: newEmail() }))).toBe(
    '404 user_not_found',
  );
});

it.each([
  ['POST', '/invite'],
  ['POST', '/admin/generate_link'],
  ['GET', '/admin/users'],
  ['POST', '/admin/users'],
  ['GET', '/admin/users/x'],
  ['PUT', '/admin/users/x'],
  ['DELETE', '/admin/users/x'],
  ['GET', '/admin/users/x/factors'],
  ['DELETE', '/admin/users/x/factors/y'],
])('callers without the service key: are rejected at %s %s', async (method, path) => {
  const { token } = await host.user('Dana');
  const result = async (bearer?: string) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const response = await fetch(`${host.url}/auth/v1${path}`, { method, headers });
    return [response.status, response.headers.get('x-sb-error-code')];
  };
  expect(await result()).toEqual([401, 'no_authorization']);
  expect(await result(token)).toEqual([403, 'not_admin']);
  expect(await result(host.tokens.anonKey)).toEqual([403, 'not_admin']);
});

it.each([
  ['GET', '/admin/users?page=-1', 400],
  ['GET', '/admin/users?page=999999999&per_page=1000', 200],
  ['GET', '/admin/users/not-a-uuid', 404],
  ['POST', '/admin/users', 400],
  ['POST', '/admin/generate_link', 400],
])('the service key: gets the right status for %s %s', async (method, path, status) => {
  const headers = { authorization: `Bearer ${host.tokens.serviceKey}` };
  const response = await fetch(`${host.url}/auth/v1${path}`, { method, headers });
  expect(response.status).toBe(status);
});
