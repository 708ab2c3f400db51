// Tests which requests to auth mail the owner that the login of the account was changed: each route that changes something is listed.
import { TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { AUTH_ROUTES } from '#/host/auth/service.ts';
import { atEnd } from '../../../../testing/at-end.ts';
import { browse, startIdentityProvider } from '../../../../testing/identity-provider.ts';
import { pressLink, startMailServer } from '../../../../testing/mail-server.ts';
import { startTestHost } from '../../../../testing/test-host.ts';

const google = await startIdentityProvider();
atEnd(google.close);
const mail = await startMailServer();
const host = await startTestHost({
  SMTP_URL: mail.url,
  AUTH_CONFIRM_EMAIL: 'false',
  AUTH_MAIL_INTERVAL: '0',
  AUTH_RATE_LIMIT: '1000',
  GOOGLE_CLIENT_ID: 'google-web',
  GOOGLE_CLIENT_SECRET: 'google-secret',
  GOOGLE_ISSUER: google.issuer,
});
const redirectUri = `${host.url}/auth/v1/callback`;
google.register({ id: 'google-web', secret: 'google-secret', redirectUri });

const PASSWORD = 'correct horse';
let count = 0;

async function owner() {
  const email = `owner${++count}@example.test`;
  const admin = host.service().auth.admin;
  const { data } = await admin.createUser({ email, password: PASSWORD, email_confirm: true });
  const client = host.client();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  const id = data.user?.id ?? '';
  google.users.set(id, { email, email_verified: true });
  return { id, email, client };
}
type Owner = Awaited<ReturnType<typeof owner>>;

async function addFactor({ client }: Owner): Promise<string> {
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
  const secret = new URL(data?.totp.uri ?? '').searchParams.get('secret') ?? '';
  const factorId = data?.id ?? '';
  const code = new TOTP({ secret }).generate();
  expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  return factorId;
}

async function makeRecoveryCodes({ client }: Owner): Promise<void> {
  const token = (await client.auth.getSession()).data.session?.access_token;
  const response = await fetch(`${host.url}/auth/v1/recovery-codes`, {
    method: 'POST',
    headers: { apikey: host.tokens.anonKey, authorization: `Bearer ${token}` },
    body: '{}',
  });
  expect(response.status).toBe(200);
}

async function logInWithGoogle({ id, client }: Owner): Promise<void> {
  google.loggedInAs = id;
  const { data } = await client.auth.signInWithOAuth({
    provider: 'google',
    options: { redirectTo: `${host.url}/auth-callback`, skipBrowserRedirect: true },
  });
  expect((await browse(data.url ?? '', host.url)).hash).toContain('access_token');
}

/** The routes that change what opens an account, with the number of mails; or why a route causes none. */
const ROUTES: Record<string, [mails: number, change: (who: Owner) => Promise<unknown>] | string> = {
  'PUT /user': [
    1,
    async ({ client }) =>
      expect((await client.auth.updateUser({ password: 'another horse' })).error).toBeNull(),
  ],
  'POST /verify': [
    2,
    async ({ client, email }) => {
      await client.auth.updateUser({ email: `new-${email}` });
      await pressLink((await mail.take(`new-${email}`)).link);
    },
  ],
  'GET /callback': [1, logInWithGoogle],
  'POST /callback': 'the same handler; Apple sends its response by POST',
  'POST /token': [
    1,
    async ({ id, email }) => {
      const claims = { sub: id, aud: 'google-web', email, email_verified: true };
      const token = await google.idToken(claims);
      const { error } = await host.client().auth.signInWithIdToken({ provider: 'google', token });
      expect(error).toBeNull();
    },
  ],
  'POST /factors/:id/verify': [1, addFactor],
  'DELETE /factors/:id': [
    2,
    async (who) => {
      const factorId = await addFactor(who);
      expect((await who.client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    },
  ],
  'POST /recovery-codes': [
    3,
    async (who) => {
      await addFactor(who);
      // The first codes are created with the factor, and the mail about the factor is enough.
      for (let time = 0; time < 3; time += 1) await makeRecoveryCodes(who);
    },
  ],
  'POST /signup': 'creates an account',
  'POST /logout': 'ends sessions only',
  'POST /otp': 'mails a link to the owner',
  'POST /recover': 'mails a link to the owner',
  'POST /resend': 'mails a link to the owner',
  'POST /reauthenticate': 'checks the password',
  'POST /not-me': 'is the response of the owner to such a mail',
  'POST /factors': 'adds a factor that has no effect before its first code',
  'POST /factors/:id/challenge': 'changes nothing of the account',
  'POST /recovery-codes/verify': 'uses a code up, as a login does',
};

it('each route that changes something and is open to users mails the owner or has a reason', () => {
  const open = AUTH_ROUTES.filter(
    ([methods, path]) => methods !== 'GET' && !/^\/(admin|invite)\b/.test(path),
  ).map(([methods, path]) => `${methods} ${path}`);
  expect(
    Object.keys(ROUTES)
      .filter((route) => route !== 'GET /callback')
      .toSorted(),
  ).toEqual(open.toSorted());
});

it.each(Object.entries(ROUTES).filter(([, entry]) => typeof entry !== 'string'))(
  '%s queues the mails about the change',
  async (_route, entry) => {
    const [mails, change] = entry as [number, (who: Owner) => Promise<unknown>];
    const who = await owner();
    await change(who);
    expect(await host.sql`select from auth.account_changes where user_id = ${who.id}`).toHaveLength(
      mails,
    );
  },
);
