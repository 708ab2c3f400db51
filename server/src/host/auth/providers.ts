// Google and Apple as OpenID providers: their common protocol and their differences.
import { createHash } from 'node:crypto';
import {
  createRemoteJWKSet,
  customFetch,
  importPKCS8,
  jwtVerify,
  SignJWT,
  type JWTPayload,
} from 'jose';
import * as oauth from 'oauth4webapi';
import { isLoopbackName } from '#/host/lib/ip-addresses.ts';
import type { Settings } from '#/host/lib/host-settings.ts';
import { readBody } from '#/host/lib/http.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { foldEmail } from '#/host/auth/emails.ts';

type ProviderName = 'google' | 'apple';

/** A provider's configuration and the keys that sign its tokens. */
interface Discovered {
  server: oauth.AuthorizationServer;
  keys: ReturnType<typeof createRemoteJWKSet>;
  until: number;
}

export interface Provider {
  name: ProviderName;
  /** Client IDs. The first is the web client's; ID tokens may be issued for any of them. */
  clientIds: string[];
  issuer: string;
  scope: string;
  /** Parameters that the provider requires besides the standard ones. */
  parameters: Record<string, string>;
  /** The web client's secret; null if only native apps sign in with this provider. */
  secret: (() => Promise<string>) | null;
  /** True if tokens must be revoked when an account is deleted. */
  revokes: boolean;
  discovered?: Discovered;
}

export interface ExternalIdentity {
  sub: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  picture: string | null;
}

/** Apple's client secret is a JSON Web Token signed with Apple's key; five minutes are enough for one request. */
function appleSecret(settings: Settings, clientId: string): Provider['secret'] {
  const { APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY, APPLE_ISSUER } = settings;
  if (!APPLE_TEAM_ID || !APPLE_KEY_ID || !APPLE_PRIVATE_KEY) return null;
  return async () =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: APPLE_KEY_ID })
      .setIssuer(APPLE_TEAM_ID)
      .setSubject(clientId)
      .setAudience(APPLE_ISSUER)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(await importPKCS8(APPLE_PRIVATE_KEY, 'ES256'));
}

export function createProviders(settings: Settings): Map<string, Provider> {
  const providers = new Map<string, Provider>();
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } = settings;
  if (GOOGLE_CLIENT_ID?.[0] !== undefined)
    providers.set('google', {
      name: 'google',
      clientIds: GOOGLE_CLIENT_ID,
      issuer: GOOGLE_ISSUER,
      scope: 'openid email profile',
      // Lets users with several Google accounts choose one at each login.
      parameters: { prompt: 'select_account' },
      secret:
        GOOGLE_CLIENT_SECRET === undefined ? null : () => Promise.resolve(GOOGLE_CLIENT_SECRET),
      revokes: false,
    });
  const { APPLE_CLIENT_ID, APPLE_ISSUER } = settings;
  if (APPLE_CLIENT_ID?.[0] !== undefined)
    providers.set('apple', {
      name: 'apple',
      clientIds: APPLE_CLIENT_ID,
      issuer: APPLE_ISSUER,
      scope: 'openid name email',
      // Apple requires this mode if the name or the email is requested.
      parameters: { response_mode: 'form_post' },
      secret: appleSecret(settings, APPLE_CLIENT_ID[0]),
      revokes: true,
    });
  return providers;
}

const DISCOVERY_LASTS = 3_600_000;

const MAX_RESPONSE_BYTES = 1_000_000;

async function boundedFetch(url: string, init: object): Promise<Response> {
  const response = await fetch(url, init);
  const body = await readBody(response, MAX_RESPONSE_BYTES);
  return new Response(body.length > 0 ? new Uint8Array(body) : null, response);
}

/** Options of every request to a provider: a timeout, a size limit, and plain HTTP only to the local machine, which tests use. */
const requestOptions = ({ issuer }: Provider) => ({
  [oauth.customFetch]: boundedFetch,
  signal: AbortSignal.timeout(10_000),
  [oauth.allowInsecureRequests]: isLoopbackName(new URL(issuer).host),
});

async function discover(provider: Provider): Promise<Discovered> {
  const known = provider.discovered;
  if (known && known.until > Date.now()) return known;
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, requestOptions(provider));
  const server = await oauth.processDiscoveryResponse(issuer, response);
  const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? '', issuer), {
    [customFetch]: boundedFetch,
  });
  return (provider.discovered = { server, keys, until: Date.now() + DISCOVERY_LASTS });
}

/** Returns the provider's authorization URL. `verifier` is used only if the provider supports PKCE. */
export async function authorizationUrl(
  provider: Provider,
  request: { state: string; nonce: string; verifier: string; callback: string; loginHint: string },
): Promise<string> {
  const { server } = await discover(provider);
  const url = new URL(server.authorization_endpoint ?? '');
  const parameters: Record<string, string> = {
    client_id: provider.clientIds[0] ?? '',
    redirect_uri: request.callback,
    response_type: 'code',
    scope: provider.scope,
    state: request.state,
    nonce: request.nonce,
    ...provider.parameters,
    ...(request.loginHint === '' ? {} : { login_hint: request.loginHint }),
  };
  if (server.code_challenge_methods_supported?.includes('S256')) {
    parameters.code_challenge = await oauth.calculatePKCECodeChallenge(request.verifier);
    parameters.code_challenge_method = 'S256';
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const MAX_CLAIM_LENGTH = 1000;

/** Users choose their name at the provider, and the database stores neither NUL nor very long metadata. */
const asText = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, MAX_CLAIM_LENGTH) || null : null;

const identityOf = (claims: JWTPayload): ExternalIdentity => ({
  sub: claims.sub ?? '',
  email: foldEmail(asText(claims.email) ?? '') || null,
  // Apple may send a string, other providers a boolean.
  emailVerified: claims.email_verified === true || claims.email_verified === 'true',
  name: asText(claims.name),
  picture: asText(claims.picture),
});

/** Exchanges the provider's authorization code for its tokens. @throws errors of oauth4webapi if the response is invalid */
export async function exchangeCode(
  provider: Provider,
  callback: {
    parameters: URLSearchParams;
    state: string;
    nonce: string;
    verifier: string;
    url: string;
  },
): Promise<{ identity: ExternalIdentity; accessToken: string; refreshToken: string | null }> {
  const { server } = await discover(provider);
  const client = { client_id: provider.clientIds[0] ?? '' };
  const secret = (await provider.secret?.()) ?? '';
  const parameters = oauth.validateAuthResponse(
    server,
    client,
    callback.parameters,
    callback.state,
  );
  const pkce = server.code_challenge_methods_supported?.includes('S256');
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.ClientSecretPost(secret),
    parameters,
    callback.url,
    pkce ? callback.verifier : oauth.nopkce,
    requestOptions(provider),
  );
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: callback.nonce,
    requireIdToken: true,
  });
  const claims = oauth.getValidatedIdTokenClaims(result);
  return {
    identity: identityOf(claims as JWTPayload),
    accessToken: result.access_token,
    refreshToken: result.refresh_token ?? null,
  };
}

/**
 * Verifies an ID token that a native app received.
 * @param nonce the value that the app hashed (SHA-256, hex) into its request; '' if it sent none
 * @throws AuthError 400, or 503 if the provider cannot be reached
 */
export async function verifyIdToken(
  provider: Provider,
  token: string,
  nonce: string,
): Promise<ExternalIdentity> {
  const { server, keys } = await discover(provider).catch(() => {
    throw new AuthError(503, 'unexpected_failure', `${provider.name} cannot be reached right now`);
  });
  const { payload } = await jwtVerify(token, keys, {
    // In Google's tokens, the issuer may lack the scheme.
    issuer: [server.issuer, server.issuer.replace('https://', '')],
    requiredClaims: ['sub', 'exp', 'aud'],
    clockTolerance: 30,
  }).catch(() => {
    throw invalid('Bad ID token');
  });
  if (![payload.aud].flat().some((audience) => provider.clientIds.includes(audience ?? '')))
    throw new AuthError(400, 'unexpected_audience', 'Unacceptable audience in id_token');
  if ((payload.nonce === undefined) !== (nonce === ''))
    throw invalid('Passed nonce and nonce in id_token should either both exist or not.');
  if (nonce !== '' && createHash('sha256').update(nonce).digest('hex') !== payload.nonce)
    throw invalid('Nonces mismatch');
  return identityOf(payload);
}

export async function revokeToken(provider: Provider, refreshToken: string): Promise<void> {
  const { server } = await discover(provider);
  if (!server.revocation_endpoint || !provider.secret) return;
  const response = await oauth.revocationRequest(
    server,
    { client_id: provider.clientIds[0] ?? '' },
    oauth.ClientSecretPost(await provider.secret()),
    refreshToken,
    { ...requestOptions(provider), additionalParameters: { token_type_hint: 'refresh_token' } },
  );
  await oauth.processRevocationResponse(response);
}
