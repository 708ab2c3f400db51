// Gives the person who is logged in a new password, in the settings and after a mail for a forgotten one.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';

/** @throws {AppError} such as 'errors.same_password' */
export async function saveNewPassword(password: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.updateUser({ password });
  if (error) throw toAuthError(error);
}
