// Gives the person who is logged in a new password, in the settings and after a mail for a forgotten one.
import { AppError } from '#/core/app-error.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';

/** @throws {AppError} such as 'auth.form.samePassword' */
export async function saveNewPassword(password: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.updateUser({ password });
  if (!error) return;
  const known = toAuthError(error);
  // Its words alone read as if the field were empty.
  throw known.key === 'errors.same_password' ? new AppError('auth.form.samePassword', 422) : known;
}
