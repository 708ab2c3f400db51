// The six digits of a mail, for those who opened it on another device than this one.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { watchSession } from '#/data/session/session.ts';
import { supabase } from '#/data/supabase.ts';

/** Logs in with the code of a confirming or a recovering mail. @throws AppError */
export async function enterMailCode(
  email: string,
  token: string,
  type: 'signup' | 'recovery',
): Promise<void> {
  await watchSession();
  const client = await supabase();
  const { error } = await client.auth.verifyOtp({ email: email.trim(), token, type });
  if (error) throw toAuthError(error);
}
