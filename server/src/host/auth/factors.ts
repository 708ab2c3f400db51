// /factors: enrols, challenges, verifies and removes second factors (TOTP, and phone if an SMS webhook is configured).
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import * as v from 'valibot';
import { inTransaction } from '#/host/db/transaction.ts';
import { json } from '#/host/lib/http.ts';
import { isUuid } from '#/host/lib/uuid.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { recordChange } from '#/host/auth/account-changes.ts';
import { lacksSecondFactor, requireRecentLogin, requireSession } from '#/host/auth/authenticate.ts';
import { readJson, text } from '#/host/auth/body.ts';
import type { Auth, Call, Handler, Queryable } from '#/host/auth/context.ts';
import { sharedSubject } from '#/host/auth/known-networks.ts';
import { countAttempt, limitOf } from '#/host/auth/auth-limits.ts';
import { codeHash, sixDigits } from '#/host/auth/one-time-tokens.ts';
import { encrypt, decrypt } from '#/host/auth/encryption.ts';
import { raiseSession, type Session } from '#/host/auth/sessions.ts';
import { sendCode } from '#/host/auth/sms.ts';
import { findUserById, reread, type Factor, type User } from '#/host/auth/users.ts';

const MAX_FACTORS = 10;
const CHALLENGE_SECONDS = 300;
const PERIOD = 30;

const enrollBody = v.object({
  factor_type: v.picklist(['totp', 'phone'], 'needs to be totp or phone'),
  friendly_name: text(100),
  issuer: text(100),
  phone: text(20),
});

function checkMayEnroll(user: User, session: Session, name: string): void {
  if (user.factors.some((factor) => (factor.friendly_name ?? '') === name))
    throw new AuthError(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${name}" for this user already exists`,
    );
  if (user.factors.length >= MAX_FACTORS)
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    );
  if (lacksSecondFactor(user, session))
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');
}

async function insertFactor(
  db: Queryable,
  user: User,
  factor: { type: 'totp' | 'phone'; name: string; secret?: string; phone?: string },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into auth.mfa_factors (user_id, factor_type, friendly_name, secret, phone)
     values ($1, $2, $3, $4, $5) returning id`,
    [user.id, factor.type, factor.name, factor.secret ?? null, factor.phone ?? null],
  );
  return rows[0]?.id ?? '';
}

/** POST /factors: adds a factor, which takes effect when its first code has been verified. */
export const enroll: Handler = async (auth, call) => {
  const { user: caller, session } = await requireSession(auth, call);
  requireRecentLogin(session);
  const body = await readJson(call.request, enrollBody);
  const { pool } = auth.database;
  // Factors that were never verified are deleted, because they count against the limit of factors and occupy their name.
  await pool.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
       and created_at < now() - make_interval(secs => $2)`,
    [caller.id, CHALLENGE_SECONDS],
  );
  const user = await reread(pool, caller);
  const name = body.friendly_name;
  checkMayEnroll(user, session, name);

  if (body.factor_type === 'phone') {
    if (auth.settings.SMS_WEBHOOK_URL === undefined)
      throw new AuthError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone');
    const phone = body.phone.replace(/[\s()-]/g, '').replace(/^(?!\+)/, '+');
    if (!/^\+[1-9]\d{6,14}$/.test(phone))
      throw invalid('Invalid phone number format (E.164 required)');
    if (user.factors.some((factor) => factor.phone === phone))
      throw new AuthError(
        422,
        'mfa_verified_factor_exists',
        'A phone factor with this number already exists, unenroll the existing factor to continue',
      );
    const id = await insertFactor(pool, user, { type: 'phone', name, phone });
    return json({ id, type: 'phone', friendly_name: name, phone });
  }

  const secret = new Secret({ size: 20 });
  const issuer = body.issuer || new URL(auth.siteUrl).host;
  const uri = new TOTP({ issuer, label: user.email ?? user.id, secret, period: PERIOD }).toString();
  const id = await insertFactor(pool, user, {
    type: 'totp',
    name,
    secret: encrypt(auth.tokens, secret.base32),
  });
  const totp = { qr_code: renderSVG(uri), secret: secret.base32, uri };
  return json({ id, type: 'totp', friendly_name: name, totp });
};

/**
 * Checks that this session may finish the enrolment of a factor. An attacker who knew only the password may have enrolled a factor
 * before the owner verified another one, so that factor must not be usable without the verified one.
 * @throws AuthError 403 insufficient_aal
 */
async function checkMayFinish(db: Queryable, session: Session, factor: Factor): Promise<void> {
  if (factor.status === 'verified' || session.aal === 'aal2') return;
  // The lock serialises concurrent verifications of two factors of one user.
  await db.query('select from auth.users where id = $1 for update', [session.user_id]);
  const { rowCount } = await db.query(
    `select from auth.mfa_factors where user_id = $1 and status = 'verified'`,
    [session.user_id],
  );
  if (rowCount) throw new AuthError(403, 'insufficient_aal', 'AAL2 required to add a factor');
}

interface StoredFactor extends Factor {
  secret: string | null;
  last_challenged_at: Date | null;
}

async function findFactor(
  auth: Auth,
  call: Call,
): Promise<{ user: User; session: Session; factor: StoredFactor }> {
  const { user, session } = await requireSession(auth, call);
  const id = call.params.id;
  const { rows } = await auth.database.pool.query<StoredFactor>(
    'select * from auth.mfa_factors where id = $1 and user_id = $2',
    [isUuid(id) ? id : null, user.id],
  );
  if (!rows[0]) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
  return { user, session, factor: rows[0] };
}

export const challenge: Handler = async (auth, call) => {
  const { user, session, factor } = await findFactor(auth, call);
  await checkMayFinish(auth.database.pool, session, factor);
  let code: string | null = null;
  if (factor.factor_type === 'phone') {
    if (auth.settings.SMS_WEBHOOK_URL === undefined)
      throw new AuthError(
        422,
        'mfa_phone_verify_not_enabled',
        'MFA verification is disabled for Phone',
      );
    const shared = await sharedSubject(auth, call, user.id);
    const limits = [limitOf('sms', shared), limitOf('smsInDay', shared)];
    await countAttempt(auth, limits, 'over_sms_send_rate_limit');
    code = sixDigits();
    await sendCode(auth, user.id, factor.phone ?? '', code);
  }
  const { rows } = await auth.database.pool.query<{ id: string; created_at: Date }>(
    `with old as (delete from auth.mfa_challenges where factor_id = $1 and created_at < now() - make_interval(secs => $3))
     insert into auth.mfa_challenges (factor_id, otp_code) values ($1, $2) returning id, created_at`,
    [factor.id, code === null ? null : codeHash(auth, factor.id, code), CHALLENGE_SECONDS],
  );
  const made = rows[0];
  const expires = Math.floor((made?.created_at.getTime() ?? 0) / 1000) + CHALLENGE_SECONDS;
  return json({ id: made?.id, type: factor.factor_type, expires_at: expires });
};

/** Returns true if the code is correct. A TOTP code then counts as used, and so do all earlier codes. */
async function isRight(
  auth: Auth,
  db: Queryable,
  factor: StoredFactor,
  challengeCode: string | null,
  code: string,
): Promise<boolean> {
  if (factor.factor_type === 'phone') return challengeCode === codeHash(auth, factor.id, code);
  const secret = factor.secret === null ? null : decrypt(auth.tokens, factor.secret);
  if (secret === null || !/^\d{6}$/.test(code)) return false;
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD });
  const delta = totp.validate({ token: code, window: 1 });
  if (delta === null) return false;
  const { rowCount } = await db.query(
    'update auth.mfa_factors set last_step = $2 where id = $1 and (last_step is null or last_step < $2)',
    [factor.id, Math.floor(Date.now() / 1000 / PERIOD) + delta],
  );
  return rowCount === 1;
}

const verifyBody = v.object({ challenge_id: text(), code: text(20) });

/** POST /factors/ID/verify: a correct code raises the session to AAL2. */
export const verifyFactor: Handler = async (auth, call) => {
  const { user, session, factor } = await findFactor(auth, call);
  const { challenge_id, code } = await readJson(call.request, verifyBody);
  if (code === '') throw invalid('Code needs to be non-empty');
  const limit = limitOf('factor', await sharedSubject(auth, call, user.id));
  await countAttempt(auth, [limit]);

  const result = await inTransaction(auth.database.pool, async (db) => {
    await checkMayFinish(db, session, factor);
    const { rows } = await db.query<{ otp_code: string | null; created_at: Date }>(
      `select otp_code, created_at from auth.mfa_challenges
       where id = $1 and factor_id = $2 and verified_at is null for update`,
      [isUuid(challenge_id) ? challenge_id : null, factor.id],
    );
    const found = rows[0];
    if (!found)
      throw new AuthError(
        404,
        'mfa_factor_not_found',
        'MFA factor with the provided challenge ID not found',
      );
    if (Date.now() - found.created_at.getTime() > CHALLENGE_SECONDS * 1000)
      throw new AuthError(
        422,
        'mfa_challenge_expired',
        `MFA challenge ${challenge_id} has expired, verify against another challenge or create a new challenge.`,
      );
    if (!(await isRight(auth, db, factor, found.otp_code, code)))
      throw new AuthError(
        422,
        'mfa_verification_failed',
        factor.factor_type === 'totp'
          ? 'Invalid TOTP code entered'
          : 'Invalid MFA Phone code entered',
      );
    await db.query('update auth.mfa_challenges set verified_at = now() where id = $1', [
      challenge_id,
    ]);
    await db.query(
      `with gone as (delete from auth.mfa_factors where user_id = $2 and factor_type = $3 and status = 'unverified' and id <> $1)
       update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1 and status <> 'verified'`,
      [factor.id, user.id, factor.factor_type],
    );
    if (factor.status !== 'verified') await recordChange(auth, db, user);
    const method = factor.factor_type === 'totp' ? 'totp' : 'mfa/phone';
    return raiseSession(auth, call, db, await reread(db, user), session, factor.id, method);
  });
  // Resets the counter only if it belongs to the networks where the user has logged in. All other networks share a counter, so
  // resetting it would allow attackers more attempts.
  if (limit.subject !== user.id) await auth.attemptCounter.reset([limit]);
  return json(result);
};

/** Removes a factor. Sessions that used it return to AAL1. */
export async function removeFactor(db: Queryable, factorId: string): Promise<void> {
  await db.query('delete from auth.mfa_factors where id = $1', [factorId]);
  await db.query(
    `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now(), amr =
       (select coalesce(jsonb_agg(proof), '[]') from jsonb_array_elements(amr) proof
        where proof ->> 'method' not in ('totp', 'mfa/phone', 'recovery_code'))
     where factor_id = $1`,
    [factorId],
  );
}

export const unenroll: Handler = async (auth, call) => {
  const { user, session, factor } = await findFactor(auth, call);
  if (factor.status === 'verified') requireRecentLogin(session);
  await inTransaction(auth.database.pool, async (db) => {
    // Reads the state again under the lock, because a concurrent verification of a factor takes the same lock and ends other
    // sessions.
    await db.query('select from auth.users where id = $1 for update', [user.id]);
    const owner = await findUserById(db, user.id);
    const { rows } = await db.query<Session>('select * from auth.sessions where id = $1', [
      session.id,
    ]);
    if (owner && [session, rows[0] ?? null].some((one) => lacksSecondFactor(owner, one)))
      throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll a factor');
    await removeFactor(db, factor.id);
    if (factor.status === 'verified') await recordChange(auth, db, user);
  });
  return json({ id: factor.id });
};
