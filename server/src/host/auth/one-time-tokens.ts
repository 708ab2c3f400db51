// Links and six-digit codes in mails: creates them, stores their hashes, and accepts each once.
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
  flow_id: string | null;
}

/** Prefix of tokens that were requested with a PKCE challenge. */
export const PKCE_PREFIX = 'pkce_';
const CODE_HOURS = 1;
// Mails of signups and invitations may be read only the next day.
const LINK_HOURS = { confirmation_token: 24 } as Partial<Record<TokenType, number>>;

/** Returns the lifetime of a mail's link or code in hours. */
export const hoursOf = (type: TokenType): number => LINK_HOURS[type] ?? CODE_HOURS;

const linkHash = (link: string) => createHash('sha256').update(link).digest('base64url');

export const sixDigits = () => String(randomInt(1_000_000)).padStart(6, '0');

// The hash is keyed, because a code has only a million possible values and a leaked database must not reveal it.
export const codeHash = (auth: Auth, subject: string, code: string) =>
  createHmac('sha256', auth.tokens.derive('one-time-codes'))
    .update(`${subject}\n${code}`)
    .digest('base64url');

/**
 * Creates a link token and a code for an email. Earlier tokens of the type that were requested from the same network become
 * invalid; tokens requested from other networks stay valid, so an attacker cannot invalidate the owner's link.
 */
export async function createOneTimeToken(
  auth: Auth,
  db: Queryable,
  user: { id: string },
  type: TokenType,
  email: string,
  from: { network: string; flowId?: string | null },
): Promise<{ link: string; code: string }> {
  const flowId = from.flowId ?? null;
  const link = (flowId === null ? '' : PKCE_PREFIX) + randomBytes(28).toString('hex');
  const code = sixDigits();
  // Tokens for a change of email or a reauthentication are deleted for all networks. Only a session can request them, and an old
  // mail must not confirm a different email.
  await db.query(
    `delete from auth.one_time_tokens where user_id = $1 and token_type = $2
       and (network_hash = $3 or $2 like 'email_change%' or $2 = 'reauthentication_token')`,
    [user.id, type, from.network],
  );
  await db.query(
    `insert into auth.one_time_tokens (user_id, token_type, token_hash, code_hash, relates_to, network_hash, flow_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [user.id, type, linkHash(link), codeHash(auth, email, code), email, from.network, flowId],
  );
  return { link, code };
}

/**
 * Consumes a token, which is found by its link or by email and code. It works once, and all other tokens of its type become
 * invalid. A code is compared with one token only: the newest from the caller's network, otherwise the newest of all. So requesting
 * more tokens does not make guessing easier.
 * @throws AuthError 403 otp_expired
 */
export async function takeOneTimeToken(
  auth: Auth,
  db: Queryable,
  types: TokenType[],
  given: { link: string } | { email: string; code: string; network: string },
): Promise<OneTimeToken> {
  const byLink = 'link' in given;
  const columns = 'user_id, token_type, relates_to, flow_id, created_at';
  const { rows } = byLink
    ? await db.query<OneTimeToken & { created_at: Date }>(
        `delete from auth.one_time_tokens where token_type = any ($1) and token_hash = $2 returning ${columns}`,
        [types, linkHash(given.link)],
      )
    : await db.query<OneTimeToken & { created_at: Date }>(
        `delete from auth.one_time_tokens where code_hash = $2 and id =
           (select id from auth.one_time_tokens where token_type = any ($1) and relates_to = $3
            order by network_hash = $4 desc, created_at desc limit 1) returning ${columns}`,
        [types, codeHash(auth, given.email, given.code), given.email, given.network],
      );
  const token = rows[0];
  const hours = byLink && token ? hoursOf(token.token_type) : CODE_HOURS;
  if (!token || Date.now() - token.created_at.getTime() > hours * 3_600_000)
    throw new AuthError(
      403,
      'otp_expired',
      byLink ? 'Email link is invalid or has expired' : 'Token has expired or is invalid',
    );
  await db.query('delete from auth.one_time_tokens where user_id = $1 and token_type = $2', [
    token.user_id,
    token.token_type,
  ]);
  return token;
}
