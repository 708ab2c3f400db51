// Tests that no GET request changes anything: neither the links in mails nor any route of the auth service. call.test.ts tests REST
// reads.
import { expect, it } from 'vitest';
import { pressLink, startMailServer } from '../../../../testing/mail-server.ts';
import { startTestHost } from '../../../../testing/test-host.ts';
import { AUTH_ROUTES } from '#/host/auth/service.ts';
import type { MailKind } from '#/host/host-parts.ts';

const mail = await startMailServer();
const host = await startTestHost({
  SMTP_URL: mail.url,
  AUTH_RATE_LIMIT: '1000',
  AUTH_MAIL_INTERVAL: '0',
});
const PASSWORD = 'correct horse';

const tables = await host.sql<{ name: string }>`
  select format('%I.%I', schemaname, tablename) as name from pg_catalog.pg_tables
  where schemaname in ('auth', 'private', 'public', 'storage') and tablename not in ('rate_limits', 'jobs') order by 1`;

/** Returns a digest of each table, without jobs, which run at any time, and auth.users, which the mail jobs change. */
const stored = async (): Promise<Record<string, unknown>> => {
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, ' ' order by t::text)) from ${name} t`,
  );
  const rows = await host.sql<{ name: string; md5: string }>(digests.join('\nunion all\n'));
  return Object.fromEntries(rows.map(({ name, md5 }) => [name, md5]));
};

const REQUESTS: RequestInit[] = [
  {},
  { method: 'HEAD' },
  { headers: { 'sec-purpose': 'prefetch;prerender', purpose: 'prefetch' } },
];

/** Requests URLs as scanners, link previews and browsers do, and expects that nothing changes. */
async function requestAll(urls: string[]): Promise<void> {
  await expect.poll(() => host.sql`select from private.jobs where type like '%mail%'`).toEqual([]);
  const before = await stored();
  for (const url of urls)
    for (const options of REQUESTS) await fetch(url, { ...options, redirect: 'manual' });
  expect(await stored()).toEqual(before);
}

const linksIn = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));

let count = 0;
const newEmail = () => `link${++count}@example.test`;

const signUp = async (email = newEmail()) => {
  const client = host.client();
  await client.auth.signUp({ email, password: PASSWORD });
  return { email, client };
};
const confirmed = async () => {
  const { email, client } = await signUp();
  const { code } = await mail.take(email);
  await client.auth.verifyOtp({ email, token: code, type: 'signup' });
  return { email, client };
};

/** For each type of mail, a function that causes it and returns its recipient and the type with which its code is verified. */
const CAUSES: Record<
  MailKind | 'account change',
  () => Promise<{ to: string; type?: 'signup' | 'recovery' | 'email' | 'invite' | 'email_change' }>
> = {
  confirmation: async () => ({ to: (await signUp()).email, type: 'signup' }),
  invite: async () => {
    const to = newEmail();
    await host.service().auth.admin.inviteUserByEmail(to);
    return { to, type: 'invite' };
  },
  recovery: async () => {
    const { email } = await confirmed();
    await host.client().auth.resetPasswordForEmail(email);
    return { to: email, type: 'recovery' };
  },
  magic_link: async () => {
    const { email } = await confirmed();
    await host.client().auth.signInWithOtp({ email });
    return { to: email, type: 'email' };
  },
  email_change: async () => {
    const { client } = await confirmed();
    const to = newEmail();
    await client.auth.updateUser({ email: to });
    return { to, type: 'email_change' };
  },
  reauthentication: async () => {
    const { email, client } = await confirmed();
    await client.auth.reauthenticate();
    return { to: email };
  },
  'account change': async () => {
    const { email, client } = await confirmed();
    await client.auth.updateUser({ password: 'newer horse' });
    return { to: email };
  },
};

it.each(Object.keys(CAUSES) as (keyof typeof CAUSES)[])(
  '%s: opening its links changes nothing, and its code still works',
  async (kind) => {
    const { to, type } = await CAUSES[kind]();
    const { html, code, link } = await mail.take(to);
    const links = linksIn(html);
    expect(links).toHaveLength(kind === 'reauthentication' ? 0 : 1);
    await requestAll(links);
    if (type) {
      const { error } = await host.client().auth.verifyOtp({ email: to, token: code, type });
      expect(error).toBeNull();
      // The code and the link belong to one token, so using the code invalidates the link.
      expect((await pressLink(link)).headers.get('location')).toContain('error_code=otp_expired');
    } else if (links[0]) expect((await pressLink(link)).status).toBe(200);
  },
);

it('no GET route of the auth service changes anything, with any token', async () => {
  const { email } = await signUp();
  const { link } = await mail.take(email);
  const token = new URL(link).searchParams.get('token') ?? '';
  const routes = AUTH_ROUTES.filter(([methods]) => methods.split(' ').includes('GET'));
  expect(routes.length).toBeGreaterThan(8);
  const query = new URLSearchParams({
    token,
    token_hash: token,
    code: token,
    type: 'signup',
    email,
  });
  await requestAll(
    routes.map(([, path]) => `${host.url}/auth/v1${path.replaceAll(/:\w+/g, 'x')}?${query}`),
  );
});
