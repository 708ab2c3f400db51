// A new password for whoever is logged in.
import { toAuthError } from '#/lib/auth-errors.ts';
import { supabase } from '#/lib/backend/supabase.ts';

/** @throws {AppError} such as 'auth.error.samePassword' */
export async function changePassword(password: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.updateUser({ password });
  if (error) throw toAuthError(error);
}
