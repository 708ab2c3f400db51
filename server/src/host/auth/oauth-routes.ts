// GET /authorize and GET or POST /callback, which redirect to Google or Apple and back; and the id_token grant of native apps.
import { randomUUID } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
import { inTransaction } from '#/host/db/transaction.ts';
import { json } from '#/host/lib/http.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { readJson, readText, text } from '#/host/auth/body.ts';
import type { Auth, Call, Handler } from '#/host/auth/context.ts';
import { openAccount } from '#/host/auth/external-accounts.ts';
import {
  challengeEntries,
  checkChallenge,
  issueProviderCode,
  rememberProviderFlow,
  takeProviderFlow,
  type ProviderFlow,
} from '#/host/auth/flow-state.ts';
import { countAttempt, perIp } from '#/host/auth/auth-limits.ts';
import {
  authorizationUrl,
  exchangeCode,
  verifyIdToken,
  type Provider,
} from '#/host/auth/providers.ts';
import {
  allowedRedirect,
  redirectTo,
  errorParameters,
  withParameters,
} from '#/host/auth/redirects.ts';
import { encrypt } from '#/host/auth/encryption.ts';
import { sessionParameters, startSession } from '#/host/auth/sessions.ts';

const NAME_LENGTH = 80;

const callbackOf = (auth: Auth) => `${auth.siteUrl}/auth/v1/callback`;

const errorRedirect = (back: string, parameters: Record<string, string>) =>
  redirectTo(
    withParameters(withParameters(back, 'query', parameters), 'fragment', parameters),
    302,
  );

const challengeQuery = v.object(challengeEntries);

export const authorize: Handler = async (auth, call) => {
  const query = call.url.searchParams;
  const provider = auth.providers.get(query.get('provider') ?? '');
  if (!provider?.secret) throw invalid('Unsupported provider: provider is not enabled');
  const parsed = v.safeParse(challengeQuery, Object.fromEntries(query));
  if (!parsed.success) throw invalid(parsed.issues[0].message);
  checkChallenge(parsed.output);
  await countAttempt(auth, [perIp(auth, call, 'authorize')]);
  const back = allowedRedirect(auth, query.get('redirect_to'));
  const state = randomUUID();
  const nonce = oauth.generateRandomNonce();
  const verifier = oauth.generateRandomCodeVerifier();
  let url: string;
  try {
    const loginHint = query.get('login_hint') ?? '';
    const callback = callbackOf(auth);
    url = await authorizationUrl(provider, { state, nonce, verifier, callback, loginHint });
  } catch {
    return errorRedirect(back, {
      error: 'temporarily_unavailable',
      error_code: 'unexpected_failure',
      error_description: `${provider.name} cannot be reached right now`,
    });
  }
  const flow = { state, provider: provider.name, nonce, verifier, back };
  await rememberProviderFlow(auth.database.pool, flow, parsed.output);
  return redirectTo(url, 302);
};

const appleUser = v.object({
  name: v.object({ firstName: v.optional(v.string(), ''), lastName: v.optional(v.string(), '') }),
});

/** Returns the user's name, which Apple posts with the code at the first login only. */
function postedName(parameters: URLSearchParams): string | null {
  try {
    const { name } = v.parse(appleUser, JSON.parse(parameters.get('user') ?? ''));
    return `${name.firstName} ${name.lastName}`.trim().slice(0, NAME_LENGTH) || null;
  } catch {
    return null;
  }
}

/** Completes the login. Returns the redirect URL, which contains a session or a PKCE code. */
async function finish(
  auth: Auth,
  provider: Provider,
  flow: ProviderFlow,
  parameters: URLSearchParams,
  call: Call,
): Promise<string> {
  const { identity, accessToken, refreshToken } = await exchangeCode(provider, {
    parameters,
    state: flow.id,
    nonce: flow.provider_nonce,
    verifier: flow.provider_code_verifier,
    url: callbackOf(auth),
  }).catch((error: unknown) => {
    auth.log.warn(
      { provider: provider.name, reason: error instanceof Error ? error.name : 'unknown' },
      'a provider’s response was rejected',
    );
    throw new AuthError(400, 'bad_oauth_callback', 'Unable to exchange external code');
  });
  const named = { ...identity, name: identity.name ?? postedName(parameters) };
  return inTransaction(auth.database.pool, async (db) => {
    const user = await openAccount(auth, db, provider, named, refreshToken);
    if (flow.code_challenge !== null) {
      const code = await issueProviderCode(db, user.id, flow, {
        access: encrypt(auth.tokens, accessToken),
        refresh: refreshToken === null ? null : encrypt(auth.tokens, refreshToken),
      });
      return withParameters(flow.redirect_to, 'query', { code });
    }
    const session = await startSession(auth, db, user, 'oauth', call);
    return withParameters(flow.redirect_to, 'fragment', {
      ...sessionParameters(session),
      provider_token: accessToken,
      ...(refreshToken === null ? {} : { provider_refresh_token: refreshToken }),
    });
  });
}

/** GET and POST /callback: the redirect target of the provider (Apple uses POST). */
export const callback: Handler = async (auth, call) => {
  const parameters =
    call.request.method === 'POST'
      ? new URLSearchParams(await readText(call.request))
      : call.url.searchParams;
  await countAttempt(auth, [perIp(auth, call, 'callback')]);
  const flow = await takeProviderFlow(auth.database.pool, parameters.get('state') ?? '');
  const provider = flow && auth.providers.get(flow.provider_type);
  if (!flow || !provider)
    return errorRedirect(auth.siteUrl, {
      error: 'invalid_request',
      error_code: 'bad_oauth_state',
      error_description: 'OAuth state parameter is invalid or has expired',
    });
  const error = parameters.get('error');
  if (error !== null)
    return errorRedirect(flow.redirect_to, {
      // Apple's error code if the user cancelled the login.
      error: error === 'user_cancelled_authorize' ? 'access_denied' : error.slice(0, 100),
      error_code: 'bad_oauth_callback',
      error_description: (parameters.get('error_description') ?? '').slice(0, 300),
    });
  try {
    return redirectTo(await finish(auth, provider, flow, parameters, call), 302);
  } catch (rejection) {
    if (!(rejection instanceof AuthError)) throw rejection;
    return errorRedirect(flow.redirect_to, errorParameters(rejection));
  }
};

const idTokenBody = v.object({ provider: text(100), id_token: text(20_000), nonce: text() });

export async function idTokenGrant(auth: Auth, call: Call): Promise<Response> {
  const body = await readJson(call.request, idTokenBody);
  if (body.id_token === '') throw invalid('id_token required');
  const provider = auth.providers.get(body.provider);
  if (!provider)
    throw new AuthError(400, 'provider_disabled', `Provider "${body.provider}" is not enabled`);
  // As on Supabase, no captcha is required: the provider has already checked the user, and a native app cannot show the widget.
  await countAttempt(auth, [perIp(auth, call, 'id_token')]);
  const identity = await verifyIdToken(provider, body.id_token, body.nonce);
  return json(
    await inTransaction(auth.database.pool, async (db) => {
      const user = await openAccount(auth, db, provider, identity, null);
      return startSession(auth, db, user, 'oauth', call);
    }),
  );
}
