// The table auth.flow_state: logins that continue when the browser returns from a mail or from Google or Apple. The browser must
// prove that it started the flow (PKCE, state).
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { isUuid } from '#/host/lib/uuid.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { text } from '#/host/auth/body.ts';
import type { Queryable } from '#/host/auth/context.ts';
import type { Proof } from '#/host/auth/sessions.ts';

/** The two members that auth-js adds to each request that starts a PKCE flow. */
export const challengeEntries = {
  code_challenge: text(),
  code_challenge_method: v.pipe(
    text(),
    v.toLowerCase(),
    v.picklist(['', 's256', 'plain'], 'must be s256 or plain'),
  ),
};

export interface Challenge {
  code_challenge: string;
  code_challenge_method: '' | 's256' | 'plain';
}

interface FlowState {
  user_id: string;
  code_challenge: string;
  code_challenge_method: 's256' | 'plain';
  authentication_method: Proof['method'];
  provider_access_token: string | null;
  provider_refresh_token: string | null;
  /**
   * Hash of the password that this browser sent, if two signups with one email had different passwords. It takes effect when this
   * flow is completed.
   */
  password_hash: string | null;
  auth_code_issued_at: Date;
}

const CODE_MINUTES = 5;
/** The maximum duration of a login at Google or Apple. */
const PROVIDER_MINUTES = 10;

/** @throws AuthError 400 if only one of the two members is present or the challenge is invalid */
export function checkChallenge({ code_challenge, code_challenge_method }: Challenge): void {
  if ((code_challenge === '') !== (code_challenge_method === ''))
    throw invalid('PKCE flow requires code_challenge_method and code_challenge');
  if (code_challenge !== '' && !/^[\w.~-]{43,128}$/.test(code_challenge))
    throw invalid('code_challenge has to be between 43 and 128 characters');
}

/** Stores the browser's PKCE challenge, if it sent one, until the browser returns through a mailed link. */
export async function rememberChallenge(
  db: Queryable,
  userId: string,
  { code_challenge, code_challenge_method }: Challenge,
  method: Proof['method'],
  passwordHash: string | null = null,
): Promise<string | null> {
  if (code_challenge === '') return null;
  const { rows } = await db.query<{ id: string }>(
    `insert into auth.flow_state (user_id, code_challenge, code_challenge_method, provider_type, authentication_method, password_hash)
     values ($1, $2, $3, 'email', $4, $5) returning id`,
    [userId, code_challenge, code_challenge_method, method, passwordHash],
  );
  return rows[0]?.id ?? null;
}

/**
 * Issues a PKCE code to the browser that requested a mail.
 * @throws AuthError 400 flow_state_not_found
 */
export async function issueAuthCode(db: Queryable, flowId: string | null): Promise<string> {
  const { rows } = await db.query<{ auth_code: string }>(
    `update auth.flow_state set auth_code = $2, auth_code_issued_at = now() where id = $1 and auth_code is null
     returning auth_code`,
    [flowId, randomUUID()],
  );
  if (!rows[0]) throw new AuthError(400, 'flow_state_not_found', 'No associated flow state found.');
  return rows[0].auth_code;
}

/**
 * Exchanges a PKCE code for its flow and deletes the flow. A code works once, for five minutes, with its verifier.
 * @throws AuthError 404 flow_state_not_found, 422 flow_state_expired, 400 bad_code_verifier
 */
export async function takeFlow(db: Queryable, code: string, verifier: string): Promise<FlowState> {
  const { rows } = await db.query<FlowState>(
    'delete from auth.flow_state where auth_code = $1 and user_id is not null returning *',
    [isUuid(code) ? code : null],
  );
  const flow = rows[0];
  if (!flow)
    throw new AuthError(
      404,
      'flow_state_not_found',
      'invalid flow state, no valid flow state found',
    );
  if (Date.now() - flow.auth_code_issued_at.getTime() > CODE_MINUTES * 60_000)
    throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired');
  const result = Buffer.from(
    flow.code_challenge_method === 'plain'
      ? verifier
      : createHash('sha256').update(verifier).digest('base64url'),
  );
  const expected = Buffer.from(flow.code_challenge);
  if (result.length !== expected.length || !timingSafeEqual(result, expected))
    throw new AuthError(
      400,
      'bad_code_verifier',
      'code challenge does not match previously saved code verifier',
    );
  return flow;
}

/** A pending login at Google or Apple. */
export interface ProviderFlow {
  id: string;
  provider_type: string;
  provider_nonce: string;
  provider_code_verifier: string;
  redirect_to: string;
  code_challenge: string | null;
  code_challenge_method: string | null;
  created_at: Date;
}

export async function rememberProviderFlow(
  db: Queryable,
  flow: { state: string; provider: string; nonce: string; verifier: string; back: string },
  { code_challenge, code_challenge_method }: Challenge,
): Promise<void> {
  const { state, provider, nonce, verifier, back } = flow;
  await db.query(
    `insert into auth.flow_state (id, provider_type, provider_nonce, provider_code_verifier, redirect_to,
       code_challenge, code_challenge_method, authentication_method)
     values ($1, $2, $3, $4, $5, nullif($6, ''), nullif($7, ''), 'oauth')`,
    [state, provider, nonce, verifier, back, code_challenge, code_challenge_method],
  );
}

export async function takeProviderFlow(db: Queryable, state: string): Promise<ProviderFlow | null> {
  const { rows } = await db.query<ProviderFlow>(
    'delete from auth.flow_state where id = $1 and provider_nonce is not null and auth_code is null returning *',
    [isUuid(state) ? state : null],
  );
  const flow = rows[0];
  return flow && Date.now() - flow.created_at.getTime() < PROVIDER_MINUTES * 60_000 ? flow : null;
}

/**
 * Issues a PKCE code to the browser that started a login at a provider.
 * @param encrypted the provider's tokens, which become part of the browser's session
 */
export async function issueProviderCode(
  db: Queryable,
  userId: string,
  flow: ProviderFlow,
  encrypted: { access: string; refresh: string | null },
): Promise<string> {
  const code = randomUUID();
  await db.query(
    `insert into auth.flow_state (user_id, auth_code, auth_code_issued_at, provider_type, authentication_method,
       code_challenge, code_challenge_method, provider_access_token, provider_refresh_token)
     values ($1, $2, now(), $3, 'oauth', $4, $5, $6, $7)`,
    [
      userId,
      code,
      flow.provider_type,
      flow.code_challenge,
      flow.code_challenge_method,
      encrypted.access,
      encrypted.refresh,
    ],
  );
  return code;
}
