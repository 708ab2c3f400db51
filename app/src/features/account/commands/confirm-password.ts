// Proves once more with the password that the session is the person's own, for ten minutes.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';
import { getConfig } from '#/platform/config.ts';

/** @throws {AppError} with 'errors.invalid_credentials' */
export async function confirmPassword(password: string): Promise<void> {
  const client = await supabase();
  const { data } = await client.auth.getSession();
  const { supabaseUrl, anonKey } = getConfig();
  // The official client has no call for it.
  const response = await fetch(`${supabaseUrl}/auth/v1/reauthenticate`, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${data.session?.access_token ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ password }),
  }).catch((error: unknown) => {
    throw toAuthError(error);
  });
  if (response.ok) return;
  const answer = (await response.json().catch(() => ({}))) as { error_code?: string };
  throw toAuthError({ code: answer.error_code, status: response.status });
}
