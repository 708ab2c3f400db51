// The auth service: GoTrue's protocol under /auth/v1. This file knows the routes and turns refusals into answers.
import { json, type RequestContext, type Service } from '#/lib/http.ts';
import type { HostParts } from '#/main.ts';
import { AuthError, errorResponse } from './auth-error.ts';
import type { Auth, Handler } from './context.ts';
import { createPasswords } from './passwords.ts';
import { signup } from './signup.ts';
import { logout, token } from './token-routes.ts';
import { getUser, updateUser } from './user-routes.ts';

const settings: Handler = (auth) =>
  Promise.resolve(
    json({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: !auth.settings.AUTH_SIGNUP,
      mailer_autoconfirm: !auth.confirmEmail,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    }),
  );

const health: Handler = () =>
  Promise.resolve(
    json({
      version: 'packpark',
      name: 'GoTrue',
      description: 'GoTrue is a user registration and authentication API',
    }),
  );

// HS256 has no public keys.
const jwks: Handler = () => Promise.resolve(json({ keys: [] }));

const routes: [method: string, path: RegExp, handler: Handler][] = [
  ['GET', /^\/settings$/, settings],
  ['GET', /^\/health$/, health],
  ['GET', /^\/\.well-known\/jwks\.json$/, jwks],
  ['POST', /^\/signup$/, signup],
  ['POST', /^\/token$/, token],
  ['POST', /^\/logout$/, logout],
  ['GET', /^\/user$/, getUser],
  ['PUT', /^\/user$/, updateUser],
];

// PostgreSQL's classes for data it will not store: the client sent something odd, the host is well.
const REFUSED_DATA = /^(22|23|P0)/;

function toAuthError(error: unknown, context: RequestContext): AuthError {
  if (error instanceof AuthError) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && REFUSED_DATA.test(code))
    return new AuthError(422, 'validation_failed', 'The database refused what was sent');
  // The message of a database error may quote data: only its code and place are logged.
  context.log.error(
    { code, stack: error instanceof Error ? error.stack?.split('\n').slice(1, 4) : undefined },
    'auth request failed',
  );
  return new AuthError(
    500,
    'unexpected_failure',
    'Unexpected failure, please check server logs for more information',
  );
}

/** GoTrue's protocol on the host's database; to be served under /auth/v1. */
export function createAuthService(parts: HostParts): Service {
  const auth: Auth = {
    ...parts,
    // Read anew each time: it is known only once the host listens.
    get siteUrl() {
      return parts.siteUrl;
    },
    passwords: createPasswords(parts.settings.AUTH_PASSWORD_LENGTH),
    confirmEmail: parts.settings.AUTH_CONFIRM_EMAIL ?? parts.settings.SMTP_URL !== undefined,
  };

  return async (request, context) => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/auth\/v1/, '');
    try {
      let known = false;
      for (const [method, pattern, handler] of routes) {
        const match = pattern.exec(path);
        known ||= match !== null;
        if (match && method === request.method)
          return await handler(auth, { ...context, request, url, params: match.slice(1) });
      }
      throw known
        ? new AuthError(405, 'validation_failed', 'Method not allowed')
        : new AuthError(404, 'validation_failed', 'Not found');
    } catch (error) {
      return errorResponse(toAuthError(error, context), request);
    }
  };
}
