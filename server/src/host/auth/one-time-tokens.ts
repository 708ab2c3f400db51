// Links and six-digit codes in mails: creates them, stores their hashes, and accepts each of them once.
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth, Queryable } from '#/host/auth/context.ts';

export type TokenType =
  | 'confirmation_token'
  | 'recovery_token'
  | 'magic_link_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'reauthentication_token';

export interface OneTimeToken {
  user_id: string;
  token_type: TokenType;
  relates_to: string;
}

/** The prefix of the tokens that were requested with a PKCE challenge. */
export const PKCE_PREFIX = 'pkce_';
const CODE_HOURS = 1;
// The mail of a signup or an invitation may not be read before the next day.
const LINK_HOURS = { confirmation_token: 24 } as Partial<Record<TokenType, number>>;

/** Lifetime of a mail's link or code in hours. */
export const hoursOf = (type: TokenType): number => LINK_HOURS[type] ?? CODE_HOURS;

const linkHash = (link: string) => createHash('sha256').update(link).digest('base64url');

export const sixDigits = () => String(randomInt(1_000_000)).padStart(6, '0');

// A code has only a million possible values, so its hash is keyed: a leaked database does not reveal the code.
export const codeHash = (auth: Auth, subject: string, code: string) =>
  createHmac('sha256', auth.tokens.derive('one-time-codes'))
    .update(`${subject}\n${code}`)
    .digest('base64url');

/** Creates a link token and a code for an email. Earlier ones of this type become invalid. */
export async function createOneTimeToken(
  auth: Auth,
  db: Queryable,
  userId: string,
  type: TokenType,
  email: string,
  pkce: boolean,
): Promise<{ link: string; code: string }> {
  const link = (pkce ? PKCE_PREFIX : '') + randomBytes(28).toString('hex');
  const code = sixDigits();
  await db.query(
    `insert into auth.one_time_tokens (user_id, token_type, token_hash, code_hash, relates_to) values ($1, $2, $3, $4, $5)
     on conflict (user_id, token_type) do update set token_hash = excluded.token_hash, code_hash = excluded.code_hash,
       relates_to = excluded.relates_to, created_at = now()`,
    [userId, type, linkHash(link), codeHash(auth, email, code), email],
  );
  return { link, code };
}

/** Consumes a token by its link, or by email and code, so it works only once. @throws AuthError 403 otp_expired */
export async function takeOneTimeToken(
  auth: Auth,
  db: Queryable,
  types: TokenType[],
  given: { link: string } | { email: string; code: string },
): Promise<OneTimeToken> {
  const byLink = 'link' in given;
  const { rows } = await db.query<OneTimeToken & { created_at: Date }>(
    `delete from auth.one_time_tokens where token_type = any ($1)
       and case when $4 then token_hash = $2 else code_hash = $2 and relates_to = $3 end
     returning user_id, token_type, relates_to, created_at`,
    byLink
      ? [types, linkHash(given.link), '', true]
      : [types, codeHash(auth, given.email, given.code), given.email, false],
  );
  const token = rows[0];
  const hours = byLink && token ? hoursOf(token.token_type) : CODE_HOURS;
  if (!token || Date.now() - token.created_at.getTime() > hours * 3_600_000)
    throw new AuthError(
      403,
      'otp_expired',
      byLink ? 'Email link is invalid or has expired' : 'Token has expired or is invalid',
    );
  return token;
}
