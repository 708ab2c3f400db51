// Tests captchas with a fake verification server.
import { expect, it } from 'vitest';
import { startIdentityProvider } from '../../../../testing/identity-provider.ts';
import { atEnd } from '../../../../testing/at-end.ts';
import { startStubService } from '../../../../testing/stub-service.ts';
import { authErrorOf, startTestHost } from '../../../../testing/test-host.ts';

const verifier = await startStubService(({ body }) => {
  const given = new URLSearchParams(body).get('response');
  const success = given === 'a human';
  const result = { success, 'error-codes': success ? [] : ['invalid-input-response'] };
  return { body: given === 'a fault' ? 'not an answer' : result };
});
atEnd(verifier.close);
const lastRequest = () => Object.fromEntries(new URLSearchParams(verifier.requests.at(-1)?.body));
const google = await startIdentityProvider();
atEnd(google.close);
const withCaptcha = {
  CAPTCHA_SITE_KEY: 'site',
  CAPTCHA_SECRET: 'secret',
  CAPTCHA_URL: `${verifier.url}/siteverify`,
};
const host = await startTestHost({
  ...withCaptcha,
  CAPTCHA_PROVIDER: 'turnstile',
  GOOGLE_CLIENT_ID: 'client',
  GOOGLE_CLIENT_SECRET: 'of-google',
  GOOGLE_ISSUER: google.issuer,
});
google.register({ id: 'client', secret: 'of-google', redirectUri: `${host.url}/auth/v1/callback` });

let count = 0;
const credentials = (captchaToken?: string) => ({
  email: `captcha${++count}@example.test`,
  password: 'correct horse',
  options: captchaToken === undefined ? {} : { captchaToken },
});
const rejected = { status: 400, code: 'captcha_failed' };
/** The official client does not expose the error code of a response with status 500. */
const failedResponse = { status: 500 };

it('captcha: a solved captcha passes, with hCaptcha as well', async () => {
  const other = await startTestHost({ ...withCaptcha, CAPTCHA_PROVIDER: 'hcaptcha' });
  expect((await other.client().auth.signUp(credentials('a robot'))).error).toMatchObject(rejected);
  for (const { client } of [host, other]) {
    expect((await client().auth.signUp(credentials('a human'))).error).toBeNull();
    expect(lastRequest()).toEqual({ secret: 'secret', response: 'a human' });
  }
});

it.each([
  [undefined, rejected],
  ['a robot', rejected],
  ['a fault', failedResponse],
])('captcha: every route rejects %s', async (token, rejection) => {
  const { auth } = host.client();
  const { email, password, options } = credentials(token);
  expect((await auth.signUp({ email, password, options })).error).toMatchObject(rejection);
  expect((await auth.signInWithPassword({ email, password, options })).error).toMatchObject(
    rejection,
  );
  expect((await auth.signInWithOtp({ email, options })).error).toMatchObject(rejection);
  expect((await auth.resetPasswordForEmail(email, options)).error).toMatchObject(rejection);
  expect((await auth.resend({ type: 'signup', email, options })).error).toMatchObject(rejection);
});

it("captcha: a login with a provider's token needs no captcha, because the provider has already seen a person", async () => {
  expect(
    await authErrorOf(
      host.client().auth.signInWithIdToken({ provider: 'google', token: 'no.token.at-all' }),
    ),
  ).toBe('400 validation_failed');
});
