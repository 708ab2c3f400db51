// /recovery-codes: ten codes, each of which replaces the second factor once, for users who lost their device.
import { createHmac, randomInt } from 'node:crypto';
import * as v from 'valibot';
import { inTransaction } from '#/host/db/transaction.ts';
import { json } from '#/host/lib/http.ts';
import { recordChange } from '#/host/auth/account-changes.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import { requireRecentLogin, requireSession } from '#/host/auth/authenticate.ts';
import { readJson, text } from '#/host/auth/body.ts';
import type { Auth, Handler } from '#/host/auth/context.ts';
import { sharedSubject } from '#/host/auth/known-networks.ts';
import { countAttempt, limitOf } from '#/host/auth/auth-limits.ts';
import { raiseSession } from '#/host/auth/sessions.ts';

const CODES = 10;
// Letters and digits that look alike are excluded, because users copy the codes from paper.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const newCode = () =>
  Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)])
    .join('')
    .replace(/(....)(?=.)/g, '$1-');

const hashOf = (auth: Auth, userId: string, code: string) =>
  createHmac('sha256', auth.tokens.derive('recovery-codes'))
    .update(`${userId}\n${code.toUpperCase().replace(/[^A-Z0-9]/g, '')}`)
    .digest('base64url');

/** POST /recovery-codes: creates codes, which replace all earlier ones and are returned only now. */
export const makeRecoveryCodes: Handler = async (auth, call) => {
  const { user, session } = await requireSession(auth, call);
  requireRecentLogin(session);
  const level = new AuthError(403, 'insufficient_aal', 'AAL2 required for recovery codes');
  if (session.aal !== 'aal2') throw level;
  const codes = Array.from({ length: CODES }, newCode);
  await inTransaction(auth.database.pool, async (db) => {
    await db.query('select from auth.users where id = $1 for update', [user.id]);
    const { rows } = await db.query<{ id: string; is_later: boolean }>(
      `with gone as (delete from auth.mfa_recovery_codes where user_id = $2 returning user_id)
       select f.id, exists (select from gone) or f.updated_at < now() - interval '10 minutes' as is_later
       from auth.sessions s join auth.mfa_factors f on f.id = s.factor_id where s.id = $1 and s.aal = 'aal2'`,
      [session.id, user.id],
    );
    const factor = rows[0];
    if (!factor) throw level;
    await db.query(
      `insert into auth.mfa_recovery_codes (user_id, factor_id, code_hash) select $1, $2, unnest($3::text[])`,
      [user.id, factor.id, codes.map((code) => hashOf(auth, user.id, code))],
    );
    // Notifies the user only if the codes are created later than the factor. If both are created together, the mail about the new
    // factor is enough.
    if (factor.is_later) await recordChange(auth, db, user);
  });
  return json({ codes });
};

/** POST /recovery-codes/verify: an unused code raises the session to AAL2. */
export const verifyRecoveryCode: Handler = async (auth, call) => {
  const { user, session } = await requireSession(auth, call);
  const { code } = await readJson(call.request, v.object({ code: text(100) }));
  await countAttempt(auth, [limitOf('recoveryCode', await sharedSubject(auth, call, user.id))]);
  const result = await inTransaction(auth.database.pool, async (db) => {
    const { rows } = await db.query<{ factor_id: string }>(
      'delete from auth.mfa_recovery_codes where user_id = $1 and code_hash = $2 returning factor_id',
      [user.id, hashOf(auth, user.id, code)],
    );
    if (!rows[0]) throw new AuthError(422, 'mfa_verification_failed', 'Invalid recovery code');
    return raiseSession(auth, call, db, user, session, rows[0].factor_id, 'recovery_code');
  });
  return json(result);
};
