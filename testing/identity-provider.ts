// A real OpenID provider on loopback in place of Google and Apple, and a browser that logs in with it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT, type JWK } from 'jose';
import { interactionPolicy, Provider } from 'oidc-provider';

export interface Account {
  email: string;
  email_verified: boolean;
  name?: string;
  picture?: string;
}

export interface IdentityProvider {
  issuer: string;
  users: Map<string, Account>;
  /** The user logged in at the provider; null to cancel the login. */
  loggedInAs: string | null;
  /** Query parameters of the last request to its authorization endpoint. */
  parameters: URLSearchParams;
  revoked: string[];
  /** Registers a client. `secretKey` is the public key of a client secret that is a signed JWT, as Apple requires. */
  register(client: { id: string; secret: string; redirectUri: string; secretKey?: JWK }): void;
  /** An ID token as a native app receives it. */
  idToken(claims: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' };
  let handle: ReturnType<Provider['callback']> | null = null;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/auth') idp.parameters = url.searchParams;
    if (handle) void handle(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const idp: IdentityProvider = {
    issuer,
    users: new Map(),
    loggedInAs: null,
    parameters: new URLSearchParams(),
    revoked: [],
    register({ id, secret, redirectUri, secretKey }) {
      const policy = interactionPolicy.base();
      policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: id,
            client_secret: secret,
            redirect_uris: [redirectUri],
            grant_types: ['authorization_code', 'refresh_token'],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        jwks: { keys: [key as never] },
        cookies: { keys: ['a test key'] },
        scopes: ['openid', 'email', 'profile', 'name'],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name', 'picture'],
        },
        conformIdTokenClaims: false,
        pkce: { required: () => false },
        issueRefreshToken: () => true,
        ttl: {
          Interaction: 600,
          Grant: 600,
          Session: 600,
          AccessToken: 600,
          RefreshToken: 600,
          IdToken: 600,
        },
        features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
        interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
        findAccount: (_ctx, accountId) => ({
          accountId,
          claims: () => ({ sub: accountId, ...idp.users.get(accountId) }),
        }),
        async loadExistingGrant(ctx) {
          const grant = new ctx.oidc.provider.Grant({
            clientId: id,
            accountId: ctx.oidc.session?.accountId ?? '',
          });
          grant.addOIDCScope('openid email profile name');
          await grant.save();
          return grant;
        },
      });
      provider.use(async (ctx, next) => {
        if (!ctx.path.startsWith('/interaction/')) return next();
        await provider.interactionFinished(
          ctx.req,
          ctx.res,
          idp.loggedInAs === null
            ? { error: 'access_denied', error_description: 'The person pressed cancel' }
            : { select_account: {}, login: { accountId: idp.loggedInAs } },
          { mergeWithLastSubmission: false },
        );
        ctx.respond = false;
      });
      provider.on('refresh_token.destroyed', (token) => void idp.revoked.push(token.jti));
      if (secretKey) {
        const keys = createLocalJWKSet({ keys: [secretKey] });
        provider.Client.prototype.compareClientSecret = async (given: string) => {
          const options = { subject: id, audience: issuer, algorithms: ['ES256'] };
          return jwtVerify(given, keys, options).then(
            () => true,
            () => false,
          );
        };
      }
      handle = provider.callback();
    },
    idToken: (claims) =>
      new SignJWT({ iss: issuer, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'test' })
        .setIssuedAt()
        .setExpirationTime(typeof claims.exp === 'number' ? claims.exp : '5m')
        .sign(privateKey),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  return idp;
}

/** Follows redirects from a URL to the final page. `beforePost` may add to a form before it is submitted. */
export async function browse(
  start: string,
  site: string,
  beforePost: (form: URLSearchParams) => void = () => undefined,
): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = start;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 20; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      headers: { cookie },
      body: form,
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    form = null;
    const location = response.headers.get('location');
    if (location !== null) {
      const target = new URL(location, address);
      if (target.protocol !== 'http:') return target;
      if (target.origin === site && !target.pathname.startsWith('/auth/v1/')) return target;
      address = target.href;
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`${response.status} at ${address}: ${page}`);
    address = action;
    form = new URLSearchParams();
    for (const [, name = '', value = ''] of page.matchAll(/name="([^"]+)" value="([^"]*)"/g))
      form.set(name, value);
    beforePost(form);
  }
  throw new Error('The redirects do not end');
}
