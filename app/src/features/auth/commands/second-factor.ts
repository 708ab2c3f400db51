// The second step of a login: the six digits of an authenticator app, or a recovery code.
import { callAuth } from '#/data/session/auth-call.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';

/** Raises this session to level two. @throws AppError */
export async function enterSecondFactor(code: string): Promise<void> {
  const client = await supabase();
  const { data, error } = await client.auth.mfa.listFactors();
  if (error) throw toAuthError(error);
  const factor = data.totp[0];
  if (!factor) throw toAuthError({ code: 'mfa_verification_failed', status: 422 });
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
  if (verified.error) throw toAuthError(verified.error);
}

/** Raises this session to level two; the code is used up. @throws AppError */
export async function enterRecoveryCode(code: string): Promise<void> {
  const session = await callAuth('recovery-codes/verify', { code });
  const client = await supabase();
  const { error } = await client.auth.setSession(
    session as { access_token: string; refresh_token: string },
  );
  if (error) throw toAuthError(error);
}
