// Tests confirmation, magic links, codes, recovery and change of email, with the official client and a local SMTP server.
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { pressLink, startMailServer } from '../../../../testing/mail-server.ts';
import { pkceClient } from '../../../../testing/pkce-client.ts';
import { authErrorOf, startTestHost } from '../../../../testing/test-host.ts';

const mail = await startMailServer();
const host = await startTestHost({
  SMTP_URL: mail.url,
  AUTH_RATE_LIMIT: '1000',
  AUTH_MAIL_INTERVAL: '0',
  ADDITIONAL_REDIRECT_URLS: 'https://*.packpark.test/**',
});

const PASSWORD = 'correct horse';
let count = 0;
const newEmail = () => `mail${++count}@example.test`;

/** Presses the button of the page that a mailed link opens, and returns the URL to which it redirects. */
async function open(link: string): Promise<URL> {
  const response = await pressLink(link);
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
}
const inFragment = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)));

async function signUp(data = {}) {
  const client = host.client();
  const email = newEmail();
  const options = { data, emailRedirectTo: `${host.url}/email-callback` };
  const result = await client.auth.signUp({ email, password: PASSWORD, options });
  expect(result.error).toBeNull();
  return { client, email, user: result.data.user, session: result.data.session };
}

async function confirmed() {
  const { client, email } = await signUp();
  const { code } = await mail.take(email);
  const { data, error } = await client.auth.verifyOtp({ email, token: code, type: 'signup' });
  expect(error).toBeNull();
  return { client, email, id: data.user?.id ?? '' };
}

async function oneTimeLogin(emailRedirectTo = host.url) {
  const email = newEmail();
  await host.client().auth.signInWithOtp({ email, options: { emailRedirectTo } });
  const { code, link } = await mail.take(email);
  const guess = (token: string) => host.client().auth.verifyOtp({ email, token, type: 'email' });
  return { email, code, link, guess, wrong: wrongFor(code) };
}
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');

const opens = async (email: string, password: string) =>
  (await host.client().auth.signInWithPassword({ email, password })).error?.code ?? true;

/** Signs up twice with one email, each time in another browser, and opens both links. Returns the code of the second link. */
async function contest(passwords: [string, string]) {
  const browsers = [pkceClient(host), pkceClient(host)];
  const email = newEmail();
  const links: string[] = [];
  for (const [index, browser] of browsers.entries()) {
    const { error } = await browser.auth.signUp({
      email,
      password: passwords[index] ?? '',
      options: { emailRedirectTo: `${host.url}/email-callback` },
    });
    expect(error).toBeNull();
    links.push((await mail.take(email)).link);
  }
  const [first = '', second = ''] = links;
  expect((await open(first)).searchParams.get('code')).toBeNull();
  const code = (await open(second)).searchParams.get('code') ?? '';
  return { email, browsers, code };
}

it('two signups with one email and different passwords: the password of the second browser is valid after it opens the link, the first password is not', async () => {
  const { email, browsers, code } = await contest(['thief horse', 'owner horse']);
  expect(await opens(email, 'thief horse')).toBe('invalid_credentials');
  expect(await opens(email, 'owner horse')).toBe('invalid_credentials');
  expect((await browsers[1]?.auth.exchangeCodeForSession(code))?.error).toBeNull();
  expect(await opens(email, 'owner horse')).toBe(true);
  expect(await opens(email, 'thief horse')).toBe('invalid_credentials');
});

it('two signups with one email and different passwords: a link that another browser requested validates neither password, and the reader of the mail can set a new one', async () => {
  const { email, browsers, code } = await contest(['owner horse', 'thief horse']);
  expect((await browsers[0]?.auth.exchangeCodeForSession(code))?.error).not.toBeNull();
  expect(await opens(email, 'thief horse')).toBe('invalid_credentials');
  const client = host.client();
  await client.auth.resetPasswordForEmail(email);
  const { code: typed } = await mail.take(email);
  await client.auth.verifyOtp({ email, token: typed, type: 'recovery' });
  expect((await client.auth.updateUser({ password: 'newest horse' })).error).toBeNull();
  expect(await opens(email, 'newest horse')).toBe(true);
  expect(await opens(email, 'thief horse')).toBe('invalid_credentials');
});

it('two signups with one email and different passwords: neither is valid after a typed code, which does not identify the browser', async () => {
  const { email } = await signUp();
  await mail.take(email);
  await host
    .client()
    .auth.signUp({ email, password: 'thief horse', options: { data: { full_name: 'Thief' } } });
  const { code } = await mail.take(email);
  const { data } = await host.client().auth.verifyOtp({ email, token: code, type: 'signup' });
  expect(data.user?.user_metadata.full_name).toBeUndefined();
  expect(await opens(email, 'thief horse')).toBe('invalid_credentials');
  expect(await opens(email, PASSWORD)).toBe('invalid_credentials');
});

it('a password from before the email was verified is removed by a one-time login', async () => {
  const { email } = await signUp();
  await mail.take(email);
  await host.client().auth.resetPasswordForEmail(email);
  const { code } = await mail.take(email);
  expect(
    (await host.client().auth.verifyOtp({ email, token: code, type: 'recovery' })).error,
  ).toBeNull();
  expect(await opens(email, PASSWORD)).toBe('invalid_credentials');
});

it('confirmation: is required before the first login, and its link returns with a session', async () => {
  const { client, email, user, session } = await signUp();
  expect(session).toBeNull();
  expect(user?.identities).toHaveLength(1);
  expect(user?.confirmation_sent_at).toBeTruthy();
  const login = () => client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(await authErrorOf(login())).toBe('400 email_not_confirmed');

  const { link } = await mail.take(email);
  const target = await open(link);
  expect(target.pathname).toBe('/email-callback');
  const parameters = inFragment(target);
  expect(parameters).toMatchObject({ type: 'signup', token_type: 'bearer', expires_in: '3600' });
  const { access_token = '', refresh_token = '' } = parameters;
  const { data } = await client.auth.setSession({ access_token, refresh_token });
  expect(data.user).toMatchObject({ email, user_metadata: { email_verified: true } });
  expect(data.user?.email_confirmed_at).toBeTruthy();
  expect((await login()).error).toBeNull();
});

it('confirmation: works only once', async () => {
  const { email } = await signUp();
  const { link, code } = await mail.take(email);
  await open(link);
  expect(inFragment(await open(link))).toMatchObject({
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: 'Email link is invalid or has expired',
  });
  expect(
    await authErrorOf(host.client().auth.verifyOtp({ email, token: code, type: 'signup' })),
  ).toBe('403 otp_expired');
});

it('confirmation: a code expires after an hour, a link after a day', async () => {
  const { email } = await signUp();
  const { link, code } = await mail.take(email);
  await host.sql`update auth.one_time_tokens set created_at = now() - interval '2 hours' where relates_to = ${email}`;
  const { error } = await host.client().auth.verifyOtp({ email, token: code, type: 'signup' });
  expect(error).toMatchObject({ code: 'otp_expired' });
  expect(inFragment(await open(link))).toHaveProperty('access_token');
});

it('confirmation: does not reveal that an email is taken', async () => {
  const { email } = await confirmed();
  const { data, error } = await host.client().auth.signUp({ email, password: 'other horse' });
  expect(error).toBeNull();
  expect(data.session).toBeNull();
  expect(data.user).toMatchObject({ email, identities: [] });
  // Mails are sent in order, so after the mail of this later request, no mail of the earlier request can follow.
  await confirmed();
  expect(mail.mails.filter(({ to }) => to === email)).toEqual([]);
});

it('confirmation: a signup runs the same statements for a free, an unconfirmed and a confirmed email', async () => {
  const waiting = (await signUp()).email;
  await mail.take(waiting);
  const emails = [newEmail(), waiting, (await confirmed()).email];
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const statements: string[][] = [];
  for (const email of emails) {
    sent.mockClear();
    await host.client().auth.signUp({ email, password: 'other horse' });
    const texts = (client: unknown) =>
      sent.mock.calls
        .filter((_, index) => client === undefined || sent.mock.contexts[index] === client)
        .map(([text]) => (typeof text === 'string' ? text : ''));
    const at = texts(undefined).findIndex((text) => text.startsWith('insert into auth.users'));
    const transaction = texts(sent.mock.contexts[at]);
    const from = transaction.lastIndexOf('begin');
    const to = transaction.findIndex(
      (text, index) => index > from && /^(commit|rollback)$/.test(text),
    );
    const lookups = texts(undefined).filter((text) =>
      text.includes('from auth.users u where lower'),
    );
    statements.push([...lookups, ...transaction.slice(from, to)]);
  }
  sent.mockRestore();
  for (const email of emails.slice(0, 2)) await mail.take(email);
  expect(statements[0]?.length).toBeGreaterThan(6);
  expect(statements[1]).toEqual(statements[0]);
  expect(statements[2]).toEqual(statements[0]);
});

it('confirmation: a repeated signup sends the mail again and returns the same response, including the order of its members', async () => {
  const email = newEmail();
  const results: string[] = [];
  let token = '';
  for (let time = 1; time <= 2; time += 1) {
    const result = await fetch(`${host.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: host.tokens.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        email,
        password: PASSWORD,
        data: { language: 'he', full_name: 'Dana', a: { bb: 1, c: 2 } },
      }),
    });
    results.push(
      (await result.text())
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
        .replace(/\d{4}-\d\d-\d\dT[^"]*/g, 'time'),
    );
    token = (await mail.take(email)).code;
  }
  expect(results[1]).toBe(results[0]);
  await host.client().auth.verifyOtp({ email, token, type: 'signup' });
  expect(await opens(email, PASSWORD)).toBe(true);
});

it('confirmation: is sent again on request, until the email is confirmed', async () => {
  const { client, email } = await signUp();
  const first = await mail.take(email);
  expect((await client.auth.resend({ type: 'signup', email })).error).toBeNull();
  const second = await mail.take(email);
  expect(second.link).not.toBe(first.link);
  expect(inFragment(await open(first.link))).toHaveProperty('error');
  expect(inFragment(await open(second.link))).toHaveProperty('access_token');
  expect((await client.auth.resend({ type: 'signup', email })).error).toBeNull();
  expect((await client.auth.resend({ type: 'signup', email: newEmail() })).error).toBeNull();
});

it.each([
  ['he', 'rtl', 'אימות כתובת המייל ל־Packpark'],
  ['ar', 'rtl', 'تأكيد بريدكم الإلكتروني في Packpark'],
  ['en', 'ltr', 'Confirm your email for Packpark'],
])('confirmation: is in the account’s language: %s', async (language, direction, subject) => {
  const { email } = await signUp({ language });
  const received = await mail.take(email);
  expect(received.subject).toBe(subject);
  expect(received.html).toContain(`<html lang="${language}" dir="${direction}">`);
  expect(received.text).not.toMatch(/[<>]|{{/);
  expect(received.code).toMatch(/^\d{6}$/);
});

it('confirmation: is in the browser’s language if the account has none', async () => {
  const email = newEmail();
  await fetch(`${host.url}/auth/v1/otp`, {
    method: 'POST',
    headers: { 'accept-language': 'fr, ar-EG;q=0.9, he;q=0.8' },
    body: JSON.stringify({ email }),
  });
  expect((await mail.take(email)).subject).toMatch(/Packpark/);
  expect(mail.mails.filter(({ to }) => to === email)).toEqual([]);
});

it('one-time login: a code creates an account', async () => {
  const email = newEmail();
  const client = host.client();
  const { error } = await client.auth.signInWithOtp({
    email,
    options: { data: { full_name: 'Noa' } },
  });
  expect(error).toBeNull();
  const { code } = await mail.take(email);
  const { data } = await client.auth.verifyOtp({ email, token: code, type: 'email' });
  expect(data.session?.user).toMatchObject({ email, user_metadata: { full_name: 'Noa' } });
});

it('one-time login: the token of the link works', async () => {
  const { client, email, id } = await confirmed();
  await client.auth.signInWithOtp({ email });
  const { link } = await mail.take(email, /login link/);
  const token_hash = new URL(link).searchParams.get('token') ?? '';
  const { data } = await client.auth.verifyOtp({ token_hash, type: 'magiclink' });
  expect(data.user?.id).toBe(id);
});

it('one-time login: the response is the same for an unknown email, and no account is created if the request forbids it', async () => {
  const email = newEmail();
  const { error } = await host
    .client()
    .auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  expect(error).toBeNull();
  expect(await host.sql('select from auth.users where email = $1', [email])).toEqual([]);
});

it('one-time login: a banned account is rejected', async () => {
  const { client, email, id } = await confirmed();
  await client.auth.signInWithOtp({ email });
  const { code } = await mail.take(email, /login link/);
  await host.sql(`update auth.users set banned_until = 'infinity' where id = $1`, [id]);
  expect(await authErrorOf(client.auth.verifyOtp({ email, token: code, type: 'magiclink' }))).toBe(
    '403 user_banned',
  );
});

it('recovery: the link opens the update-password page, and the new password ends other sessions', async () => {
  const { client, email } = await confirmed();
  const other = host.client();
  await other.auth.signInWithPassword({ email, password: PASSWORD });
  const redirectTo = `${host.url}/update-password`;
  expect((await client.auth.resetPasswordForEmail(email, { redirectTo })).error).toBeNull();
  const target = await open((await mail.take(email, /password/)).link);
  expect(target.pathname).toBe('/update-password');
  const { access_token = '', refresh_token = '', type } = inFragment(target);
  expect(type).toBe('recovery');
  await client.auth.setSession({ access_token, refresh_token });
  expect((await client.auth.updateUser({ password: 'brand new horse' })).error).toBeNull();
  expect((await other.auth.refreshSession()).error).not.toBeNull();
  const login = await other.auth.signInWithPassword({ email, password: 'brand new horse' });
  expect(login.error).toBeNull();
});

it('recovery: a link that was mailed to a former email of the account is invalid', async () => {
  const { client, email, id } = await confirmed();
  await client.auth.resetPasswordForEmail(email);
  const { link } = await mail.take(email, /password/);
  await host.sql('update auth.users set email = $2 where id = $1', [id, newEmail()]);
  expect(inFragment(await open(link))).toMatchObject({ error_code: 'otp_expired' });
});

it('recovery: a one-time login that a stranger requests does not invalidate a reset link', async () => {
  const { email } = await confirmed();
  await host.client().auth.resetPasswordForEmail(email);
  const reset = await mail.take(email);
  await host.client().auth.signInWithOtp({ email });
  const login = await mail.take(email);
  expect(inFragment(await open(reset.link)).type).toBe('recovery');
  expect(inFragment(await open(login.link)).type).toBe('magiclink');
});

it('recovery: with PKCE the link returns a code that only the requesting browser can use', async () => {
  const { email, id } = await confirmed();
  const client = pkceClient(host);
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  const redirectTo = `${host.url}/update-password`;
  await client.auth.resetPasswordForEmail(email, { redirectTo });
  const target = await open((await mail.take(email, /password/)).link);
  expect(target.hash).toBe('');
  const code = target.searchParams.get('code') ?? '';
  const { data, error } = await client.auth.exchangeCodeForSession(code);
  expect(error).toBeNull();
  expect(data.user?.id).toBe(id);
  expect(events).toContain('PASSWORD_RECOVERY');
  expect((await client.auth.exchangeCodeForSession(code)).error).not.toBeNull();
});

const exchange = (auth_code: string, code_verifier: string) =>
  fetch(`${host.url}/auth/v1/token?grant_type=pkce`, {
    method: 'POST',
    body: JSON.stringify({ auth_code, code_verifier }),
  }).then(async (response) => ({ status: response.status, body: await response.json() }));

async function codeFromMail() {
  const email = newEmail();
  const client = pkceClient(host);
  await client.auth.signInWithOtp({ email });
  const target = await open((await mail.take(email)).link);
  return { client, code: target.searchParams.get('code') ?? '' };
}

it('PKCE: a wrong verifier is rejected and invalidates the code', async () => {
  const { client, code } = await codeFromMail();
  expect(await exchange(code, 'x'.repeat(64))).toMatchObject({
    status: 400,
    body: { error_code: 'bad_code_verifier' },
  });
  expect(await authErrorOf(client.auth.exchangeCodeForSession(code))).toBe(
    '404 flow_state_not_found',
  );
});

it('PKCE: a code expires after five minutes', async () => {
  const { client, code } = await codeFromMail();
  await host.sql`update auth.flow_state set auth_code_issued_at = now() - interval '6 minutes' where auth_code = ${code}`;
  expect(await authErrorOf(client.auth.exchangeCodeForSession(code))).toBe(
    '422 flow_state_expired',
  );
});

it('PKCE: a used link returns its error in the query and the fragment', async () => {
  const email = newEmail();
  await pkceClient(host).auth.signInWithOtp({ email });
  const { link } = await mail.take(email);
  await open(link);
  const target = await open(link);
  expect(target.searchParams.get('error_code')).toBe('otp_expired');
  expect(inFragment(target)).toMatchObject({ error_code: 'otp_expired' });
});

it('change of email: takes effect after both addresses have confirmed it', async () => {
  const { client, email } = await confirmed();
  const next = newEmail();
  const { data } = await client.auth.updateUser({ email: next });
  expect(data.user).toMatchObject({ email, new_email: next });
  const toOld = await mail.take(email, /new email/);
  const toNew = await mail.take(next, /new email/);
  expect(toNew.text).toContain(`from ${email} to ${next}`);
  expect(inFragment(await open(toOld.link)).message).toMatch(/other email/);
  expect((await client.auth.getUser()).data.user?.email).toBe(email);
  expect(inFragment(await open(toNew.link))).toHaveProperty('access_token');
  const { data: after } = await client.auth.getUser();
  expect(after.user).toMatchObject({ email: next });
  expect(after.user?.new_email).toBeUndefined();
  expect(after.user?.identities?.[0]?.identity_data).toMatchObject({ email: next });
  const login = await host.client().auth.signInWithPassword({ email: next, password: PASSWORD });
  expect(login.error).toBeNull();
});

it('change of email: works by code', async () => {
  const { client, email } = await confirmed();
  const next = newEmail();
  await client.auth.updateUser({ email: next });
  const newCode = (await mail.take(next)).code;
  const oldCode = (await mail.take(email, /new email/)).code;
  const verify = (emailAddress: string, token: string) =>
    host.client().auth.verifyOtp({ email: emailAddress, token, type: 'email_change' });
  expect((await verify(next, newCode)).data.session).toBeNull();
  expect((await verify(email, oldCode)).data.user?.email).toBe(next);
});

it('change of email: a taken email is rejected, before and after the mail', async () => {
  const { client, email } = await confirmed();
  const { email: taken } = await confirmed();
  expect(await authErrorOf(client.auth.updateUser({ email: taken }))).toBe('422 email_exists');
  const next = newEmail();
  await client.auth.updateUser({ email: next });
  await host.client().auth.signUp({ email: next, password: PASSWORD });
  const toNew = await mail.take(next, /new email/);
  const toOld = await mail.take(email, /new email/);
  await open(toOld.link);
  expect(inFragment(await open(toNew.link))).toMatchObject({ error_code: 'email_exists' });
});

it('a new password invalidates earlier links and a pending change of email', async () => {
  const { client, email } = await confirmed();
  const next = newEmail();
  await client.auth.updateUser({ email: next });
  const mails = [await mail.take(email, /new email/), await mail.take(next, /new email/)];
  await host.client().auth.resetPasswordForEmail(email);
  mails.push(await mail.take(email));
  expect((await client.auth.updateUser({ password: 'newer horse' })).error).toBeNull();
  for (const { link } of mails)
    expect(inFragment(await open(link))).toMatchObject({ error_code: 'otp_expired' });
  expect((await client.auth.getUser()).data.user?.new_email).toBeUndefined();
});

const targetOf = async (requested: string) => open((await oneTimeLogin(requested)).link);

it.each([
  ['packpark://auth-callback?app_state=x', 'packpark:'],
  ['https://www.packpark.test/a/b', 'https:'],
])('redirects: %s is allowed', async (requested, protocol) => {
  const target = await targetOf(requested);
  expect(target.protocol).toBe(protocol);
  expect(target.href.startsWith(requested)).toBe(true);
});

it.each([
  'https://evil.test/',
  'https://a.b.packpark.test/',
  'https://wwwXpackpark.test.evil.test/',
  'https://www.packpark.test@evil.test/',
  'https://dana:secret@www.packpark.test/',
  'http://www.packpark.test/',
  'javascript:alert(1)//https://www.packpark.test/',
  '//evil.test',
  'https://evil.test\\.packpark.test/',
  'packpark:javascript',
  'packpark:auth-callback',
  'packpark://evil.test',
  'packpark://auth-callback.evil.test',
  'packpark://auth-callback:1',
  'packpark://auth-callback/../evil',
  'packpark:///auth-callback',
])('redirects: %s is rejected', async (requested) => {
  expect((await targetOf(requested)).origin).toBe(host.url);
});

it('redirects: are validated again when the link is opened', async () => {
  const link = new URL((await oneTimeLogin()).link);
  link.searchParams.set('redirect_to', 'https://evil.test/');
  expect((await open(link.href)).origin).toBe(host.url);
});

it('limits: an email gets ten mails an hour per IP and twenty a day, not counting the first three from each IP', async () => {
  const slow = await startTestHost({ SMTP_URL: mail.url, TRUST_PROXY: 'true' });
  /** Sends requests from an IP, each after the minimum interval between two mails, and returns how many were accepted. */
  const passed = async (tries: number, from: string, email: string) => {
    const statuses: number[] = [];
    for (let index = 0; index < tries; index += 1) {
      await slow.sql('delete from auth.rate_limits where expire < $1', [Date.now() + 61_000]);
      const response = await fetch(`${slow.url}/auth/v1/recover`, {
        method: 'POST',
        headers: { apikey: slow.tokens.anonKey, 'x-forwarded-for': from },
        body: JSON.stringify({ email }),
      });
      statuses.push(response.status);
    }
    return statuses.filter((status) => status === 200).length;
  };
  const [victim, other] = [newEmail(), newEmail()];
  // Requests rejected by the per-IP limit do not use up the recipient's daily limit.
  expect(await passed(14, '198.51.100.1', victim)).toBe(10);
  expect(await passed(1, '198.51.100.1', other)).toBe(1);
  expect(await passed(10, '198.51.100.2', victim)).toBe(10);
  expect(await passed(10, '198.51.100.3', victim)).toBe(9);
  // The owner can still request mails from another IP, because the first three mails from an IP do not count.
  expect(await passed(5, '198.51.100.4', victim)).toBe(3);
});

it.each([
  ['Mike.Sea@Example.test', 'mike.sea@example.test'],
  // Pairs of equivalent emails: two forms of the same letter, and of the same domain.
  ['re\u0301ne@example.test', 'r\u00e9ne@example.test'],
  ['dana@BÜCHER.test', 'dana@xn--bcher-kva.test'],
  ['dana@xn--bcher-kva.TEST', 'dana@xn--bcher-kva.test'],
])('emails: %s and %s are one account', async (typed, stored) => {
  const number = `same${++count}`;
  for (const email of [`${number}${typed}`, `${number}${stored}`]) {
    const { data, error } = await host.client().auth.signUp({ email, password: PASSWORD });
    expect([error, data.user?.email]).toEqual([null, `${number}${stored}`]);
  }
  expect(await host.sql`select from auth.users where starts_with(email, ${number})`).toHaveLength(
    1,
  );
});

it.each(['m\u0131ke@', '\uff4dike@', 'mi.ke@', 'mike+a@'])(
  'emails: %s is not the account of mike, and causes no mail to it',
  async (alike) => {
    const number = `alike${++count}`;
    const email = `${number}mike@example.test`;
    await host.client().auth.signUp({ email, password: PASSWORD });
    await mail.take(email);
    await host.client().auth.resetPasswordForEmail(`${number}${alike}example.test`);
    // Mails are sent in order, so after the mail of this later request, no mail of the earlier request can follow.
    const { email: later } = await signUp();
    await mail.take(later);
    expect(mail.mails.filter(({ to }) => to.startsWith(number))).toEqual([]);
  },
);

it('limits: AUTH_EMAILS_ALLOWED restricts the emails of accounts', async () => {
  const closed = await startTestHost({
    SMTP_URL: mail.url,
    AUTH_EMAILS_ALLOWED: '@park.test, dana@example.test',
  });
  const signUpAs = (email: string) => closed.client().auth.signUp({ email, password: PASSWORD });
  expect((await signUpAs('noa@park.test')).error).toBeNull();
  expect((await signUpAs('dana@example.test')).error).toBeNull();
  expect(await authErrorOf(signUpAs('noa@example.test'))).toBe('400 email_address_not_authorized');
});

it('limits: a mailed code counts as a recent login', async () => {
  const strict = await startTestHost({ SMTP_URL: mail.url, AUTH_CONFIRM_EMAIL: 'false' });
  const client = strict.client();
  const email = newEmail();
  await client.auth.signUp({ email, password: PASSWORD });
  await strict.sql`update auth.sessions set amr = jsonb_set(amr, ${'{0,timestamp}'}, ${'0'})`;
  const update = (nonce?: string) =>
    client.auth.updateUser({ password: 'fresh horse', ...(nonce ? { nonce } : {}) });
  expect((await update()).error).toMatchObject({ code: 'reauthentication_needed' });
  expect((await client.auth.reauthenticate()).error).toBeNull();
  const { code } = await mail.take(email, /code/);
  expect(await authErrorOf(update(wrongFor(code)))).toBe('422 reauthentication_not_valid');
  expect((await update(code)).error).toBeNull();
});

it('not me: the button reverts password, email and factor and invalidates later links; opening the page changes nothing', async () => {
  const email = newEmail();
  const thiefs = newEmail();
  const site = await startTestHost({
    SMTP_URL: mail.url,
    AUTH_CONFIRM_EMAIL: 'false',
    AUTH_MAIL_INTERVAL: '0',
  });
  const client = site.client();
  const { data } = await client.auth.signUp({ email, password: PASSWORD });
  const id = data.user?.id ?? '';
  const addIdentity = (provider: string) =>
    site.sql('insert into auth.identities (user_id, provider, provider_id) values ($1, $2, $2)', [
      id,
      provider,
    ]);
  await addIdentity('apple');
  expect((await client.auth.updateUser({ password: 'stolen horse' })).error).toBeNull();
  const first = await mail.take(email, /login details were changed/);
  await client.auth.updateUser({ email: thiefs });
  const confirm = await mail.take(thiefs);
  await pressLink(confirm.link);
  const second = await mail.take(thiefs, /login details were changed/);
  expect(second.link).not.toBe((await mail.take(email, /login details were changed/)).link);
  const factor = await client.auth.mfa.enroll({ factorType: 'totp' });
  await site.sql(`update auth.mfa_factors set status = 'verified', updated_at = now()`);
  expect(factor.error).toBeNull();
  await addIdentity('google');
  const stored = () =>
    site.sql`select u.email, u.encrypted_password is null as open, (select count(*)::int from auth.mfa_factors) as factors,
           (select string_agg(provider, ' ' order by provider) from auth.identities) as logins,
           (select count(*)::int from auth.sessions) as sessions from auth.users u where u.id = ${id}`;
  const before = await stored();
  const shown = await fetch(first.link, { headers: { 'accept-language': 'he' } });
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('זה לא אני')]);
  expect(await stored()).toEqual(before);
  // Another user signs up with the old email but never confirms it.
  await site.sql('insert into auth.users (email) values ($1)', [email]);
  expect((await pressLink(first.link)).status).toBe(200);
  expect(await stored()).toEqual([
    { email, open: true, factors: 0, logins: 'apple email', sessions: 0 },
  ]);
  for (const used of [first, second]) expect((await pressLink(used.link)).status).toBe(410);
  for (const password of [PASSWORD, 'stolen horse'])
    expect((await site.client().auth.signInWithPassword({ email, password })).error).not.toBeNull();
});

it('not me: if the old email has another confirmed account, the attacker is out all the same, also with newer recovery codes', async () => {
  const { client, email, id } = await confirmed();
  await client.auth.updateUser({ password: 'stolen horse' });
  const { link } = await mail.take(email, /login details were changed/);
  await host.sql('update auth.users set email = $2 where id = $1', [id, newEmail()]);
  await host.sql('insert into auth.users (email, email_confirmed_at) values ($1, now())', [email]);
  // The attacker also created recovery codes for a factor that the owner had set up before.
  await host.sql`with factor as (
      insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
      values (gen_random_uuid(), ${id}, 'totp', 'verified', now() - interval '1 day', now() - interval '1 day') returning id)
    insert into auth.mfa_recovery_codes (user_id, factor_id, code_hash, created_at)
    select ${id}, f.id, c.hash, c.at from factor f cross join (values ('before', now() - interval '1 day'), ('since', now())) c (hash, at)`;
  expect((await pressLink(link)).status).toBe(200);
  expect(
    await host.sql`select code_hash from auth.mfa_recovery_codes where user_id = ${id}`,
  ).toEqual([{ code_hash: 'before' }]);
  expect(
    await host.sql`select email, encrypted_password, (select count(*)::int from auth.sessions s where s.user_id = u.id) as sessions
                   from auth.users u where id = ${id}`,
  ).toEqual([{ email: null, encrypted_password: null, sessions: 0 }]);
});

it('without an SMTP server: mails appear in an inbox that only the local machine can open', async () => {
  const local = await startTestHost();
  const email = newEmail();
  const { data } = await local.client().auth.signUp({ email, password: PASSWORD });
  expect(data.session).not.toBeNull();
  await local.client().auth.resetPasswordForEmail(email);
  const inbox = (headers = {}) => fetch(`${local.url}/inbox`, { headers });
  await expect.poll(async () => (await inbox()).text()).toContain(email);
  const page = await inbox();
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const mailPath = /\/inbox\/\d+/.exec(await page.text())?.[0] ?? '';
  expect(await (await fetch(local.url + mailPath)).text()).toContain('Choose a new password');
  expect((await inbox({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(403);
  expect((await fetch(`${local.url}/inbox/999`)).status).toBe(404);
});
