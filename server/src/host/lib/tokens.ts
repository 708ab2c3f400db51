// Access tokens and API keys: JSON Web Tokens (HS256) signed with the host's secret, as in GoTrue.
import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

export type Role = 'anon' | 'authenticated' | 'service_role';

/** The claims of a verified token. `sub` is the user's ID if the role is `authenticated`. */
export interface Claims {
  role: Role;
  sub?: string;
  exp?: number;
  session_id?: string;
  aal?: 'aal1' | 'aal2';
  [claim: string]: unknown;
}

const texts = new WeakMap<Claims, string>();

/** Returns claims as JSON. The text is cached, because all requests and channels of a user need it. */
export function claimsText(claims: Claims): string {
  let text = texts.get(claims);
  if (text === undefined) texts.set(claims, (text = JSON.stringify(claims)));
  return text;
}

/** Thrown if a token is malformed, forged, expired or of an unknown role. */
export class TokenError extends Error {
  readonly reason: 'expired' | 'invalid';
  constructor(reason: 'expired' | 'invalid') {
    super(reason === 'expired' ? 'JWT expired' : 'JWT invalid');
    this.reason = reason;
  }
}

export interface Tokens {
  /** Signs claims. @param lifetime in seconds; without it the token never expires */
  sign(claims: Claims, lifetime?: number): Promise<string>;
  verify(token: string): Promise<Claims>;
  /** Derives a 32-byte key from the secret. `purpose` is a fixed name, so that each purpose has its own key. */
  derive(purpose: string): Buffer;
  /**
   * The API key of clients; it does not identify a user. It has the format of Supabase's publishable keys, which is a third of the
   * length of a token.
   */
  anonKey: string;
  serviceKey: string;
}

const ROLES: readonly unknown[] = ['anon', 'authenticated', 'service_role'] satisfies Role[];

/** @param secret at least 32 characters */
export async function createTokens(secret: string): Promise<Tokens> {
  const key = new TextEncoder().encode(secret);
  // Caches verified tokens until they expire, so that each signature is checked once. The size is limited in characters, because an
  // account's metadata can make its tokens long.
  const verified = new LRUCache<string, Claims>({
    maxSize: 4_000_000,
    maxEntrySize: 20_000,
    sizeCalculation: (_, token) => token.length,
  });

  async function sign(claims: Claims, lifetime?: number): Promise<string> {
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' });
    if (claims.iat === undefined && lifetime !== undefined) token.setIssuedAt();
    if (lifetime !== undefined) token.setExpirationTime(Math.floor(Date.now() / 1000) + lifetime);
    return token.sign(key);
  }

  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
  const anonKey = `sb_publishable_${derive('publishable key').subarray(0, 16).toString('base64url')}`;

  async function verify(token: string): Promise<Claims> {
    if (token === anonKey) return { role: 'anon' };
    const known = verified.get(token);
    if (known) {
      if (known.exp !== undefined && known.exp * 1000 <= Date.now())
        throw new TokenError('expired');
      return known;
    }
    let claims: Claims;
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
      claims = payload as unknown as Claims;
    } catch (error) {
      const expired = (error as { code?: string }).code === 'ERR_JWT_EXPIRED';
      throw new TokenError(expired ? 'expired' : 'invalid');
    }
    if (!ROLES.includes(claims.role)) throw new TokenError('invalid');
    verified.set(token, claims);
    return claims;
  }

  return {
    sign,
    verify,
    derive,
    anonKey,
    serviceKey: await sign({ role: 'service_role', iss: 'packpark' }),
  };
}
