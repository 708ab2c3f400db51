// The auth service: GoTrue's protocol under /auth/v1. This file defines the routes and converts errors into responses.
import { isDatabaseDown } from '#/host/db/database.ts';
import { isDiskFull } from '#/host/lib/disk.ts';
import { FullError } from '#/host/limits/fair-semaphore.ts';
import { json, type Service } from '#/host/lib/http.ts';
import { createRouter } from '#/host/lib/router.ts';
import type { Log } from '#/host/lib/log.ts';
import type { HostParts } from '#/host/host-parts.ts';
import { createAttemptCounter } from '#/host/auth/attempt-counter.ts';
import {
  adminCreate,
  adminDelete,
  adminFactors,
  adminGet,
  adminList,
  adminRemoveFactor,
  adminUpdate,
  asAdmin,
} from '#/host/auth/admin.ts';
import { CHANGE_JOB, mailChange, notMe, showNotMe } from '#/host/auth/account-changes.ts';
import { generateLink, invite } from '#/host/auth/admin-links.ts';
import { AuthError, invalidDataError, errorResponse } from '#/host/auth/auth-error.ts';
import type { Auth, Handler } from '#/host/auth/context.ts';
import { challenge, enroll, unenroll, verifyFactor } from '#/host/auth/factors.ts';
import { createInbox } from '#/host/auth/inbox.ts';
import { MAIL_JOB, MAIL_REQUEST_JOB, mailQueued, MAILS_AT_ONCE } from '#/host/auth/auth-mails.ts';
import { createMailer } from '#/host/auth/mailer.ts';
import { handleMailRequest, otp, recover, resend } from '#/host/auth/mail-requests.ts';
import { authorize, callback } from '#/host/auth/oauth-routes.ts';
import { createPasswords } from '#/host/auth/passwords.ts';
import { tooManyRequests } from '#/host/auth/auth-limits.ts';
import { createProviders } from '#/host/auth/providers.ts';
import { makeRecoveryCodes, verifyRecoveryCode } from '#/host/auth/recovery-codes.ts';
import { redirectPatterns } from '#/host/auth/redirects.ts';
import { signup } from '#/host/auth/signup.ts';
import { sweep } from '#/host/auth/sweep.ts';
import { logout, token } from '#/host/auth/token-routes.ts';
import { confirmPassword, getUser, reauthenticate, updateUser } from '#/host/auth/user-routes.ts';
import { getVerify, postVerify } from '#/host/auth/verify.ts';

// Tokens are signed with HS256, which has no public keys.
const jwks: Handler = () => Promise.resolve(json({ keys: [] }));

const health: Handler = () =>
  Promise.resolve(
    json({ name: 'GoTrue', description: 'GoTrue is a user registration and authentication API' }),
  );

const settings: Handler = ({ settings: { AUTH_SIGNUP }, confirmEmail, providers }) =>
  Promise.resolve(
    json({
      external: {
        email: true,
        phone: false,
        anonymous_users: false,
        google: providers.has('google'),
        apple: providers.has('apple'),
      },
      disable_signup: !AUTH_SIGNUP,
      mailer_autoconfirm: !confirmEmail,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    }),
  );

export const AUTH_ROUTES: readonly [methods: string, pattern: string, handler: Handler][] = [
  ['GET', '/.well-known/jwks.json', jwks],
  ['GET', '/health', health],
  ['GET', '/settings', settings],
  ['POST', '/signup', signup],
  ['POST', '/token', token],
  ['POST', '/logout', logout],
  ['GET', '/user', getUser],
  ['PUT', '/user', updateUser],
  ['POST', '/otp', otp],
  ['POST', '/recover', recover],
  ['POST', '/resend', resend],
  ['GET', '/reauthenticate', reauthenticate],
  ['POST', '/reauthenticate', confirmPassword],
  ['GET', '/not-me', showNotMe],
  ['POST', '/not-me', notMe],
  ['GET', '/verify', getVerify],
  ['POST', '/verify', postVerify],
  ['GET', '/authorize', authorize],
  ['GET', '/callback', callback],
  ['POST', '/callback', callback],
  ['POST', '/factors', enroll],
  ['DELETE', '/factors/:id', unenroll],
  ['POST', '/factors/:id/challenge', challenge],
  ['POST', '/factors/:id/verify', verifyFactor],
  ['POST', '/recovery-codes', makeRecoveryCodes],
  ['POST', '/recovery-codes/verify', verifyRecoveryCode],
  ['POST', '/invite', asAdmin(invite)],
  ['POST', '/admin/generate_link', asAdmin(generateLink)],
  ['GET', '/admin/users', asAdmin(adminList)],
  ['POST', '/admin/users', asAdmin(adminCreate)],
  ['GET', '/admin/users/:id', asAdmin(adminGet)],
  ['PUT', '/admin/users/:id', asAdmin(adminUpdate)],
  ['DELETE', '/admin/users/:id', asAdmin(adminDelete)],
  ['GET', '/admin/users/:id/factors', asAdmin(adminFactors)],
  ['DELETE', '/admin/users/:id/factors/:factor', asAdmin(adminRemoveFactor)],
];
const findRoute = createRouter(AUTH_ROUTES);

const SWEEP_EVERY = 600;

function toAuthError(error: unknown, log: Log): AuthError {
  if (error instanceof AuthError) return error;
  if (error instanceof FullError) return tooManyRequests();
  const rejection = invalidDataError(error);
  if (rejection) return rejection;
  logFailure(log, error, 'auth request failed');
  return new AuthError(
    500,
    'unexpected_failure',
    'Unexpected failure, please check server logs for more information',
  );
}

/** Messages of the database or of a mail server may quote personal data, so only the code and the stack are logged. */
function logFailure(log: Log, error: unknown, message: string): void {
  const { code, stack } = error as { code?: unknown; stack?: string };
  log.error(
    {
      code,
      stack: stack
        ?.split('\n')
        .filter((line) => /^ +at /.test(line))
        .slice(0, 3),
    },
    message,
  );
}

export async function createAuthService(parts: HostParts) {
  const { settings: given } = parts;
  const underway = new Set<Promise<unknown>>();
  const auth: Auth = {
    ...parts,
    passwords: createPasswords(given.AUTH_PASSWORD_LENGTH),
    attemptCounter: createAttemptCounter(parts.database, parts.tokens),
    confirmEmail: given.AUTH_CONFIRM_EMAIL ?? given.SMTP_URL !== undefined,
    mailer: await createMailer(parts),
    providers: createProviders(given),
    redirectPatterns: redirectPatterns(given.ADDITIONAL_REDIRECT_URLS),
    background(work) {
      const done: Promise<unknown> = work()
        .catch((error: unknown) =>
          logFailure(parts.log, error, 'auth work after a response failed'),
        )
        .finally(() => underway.delete(done));
      underway.add(done);
    },
  };

  await parts.jobs.run('sweep-auth', { every: SWEEP_EVERY, run: () => sweep(auth) });
  await parts.jobs.run(MAIL_REQUEST_JOB, {
    concurrency: MAILS_AT_ONCE,
    run: (job) => handleMailRequest(auth, job),
  });
  await parts.jobs.run(CHANGE_JOB, { run: (job) => mailChange(auth, job) });
  await parts.jobs.run(MAIL_JOB, {
    concurrency: MAILS_AT_ONCE,
    run: (job) => mailQueued(auth, job),
  });

  const handle: Service = async (request, context) => {
    const path = context.url.pathname.replace(/^\/auth\/v1/, '');
    try {
      const route = findRoute(request.method, path);
      if (route === 'notFound') throw new AuthError(404, 'validation_failed', 'Not found');
      if (route === 'wrongMethod')
        throw new AuthError(405, 'validation_failed', 'Method not allowed');
      return await route.handler(auth, { ...context, request, params: route.params });
    } catch (error) {
      // The gateway handles these two errors for all services.
      if (isDatabaseDown(error) || isDiskFull(error)) throw error;
      return errorResponse(toAuthError(error, context.log), request);
    }
  };

  return {
    handle,
    /** The service for /inbox; null if mails are sent by SMTP. */
    inbox: given.SMTP_URL === undefined ? createInbox(parts) : null,
    /** Sends mails. The product also uses it for mails that do not concern accounts. */
    mailer: auth.mailer,
    /** Waits for background work. Call it before the database closes. */
    async close(): Promise<void> {
      while (underway.size > 0) await Promise.all(underway);
      auth.mailer.close();
    },
  };
}
