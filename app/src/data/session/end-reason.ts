// Asks the server why a session has ended. Loaded only then.
import { getConfig } from '#/platform/config.ts';

/**
 * True if a new second factor has ended the session of this access token. Not requested through the client, which would delete the
 * session of a user who has logged in meanwhile.
 */
export async function wasEndedBySecondFactor(token: string): Promise<boolean> {
  const { supabaseUrl, anonKey } = getConfig();
  const response = await fetch(`${supabaseUrl}/auth/v1/user`, {
    headers: { apikey: anonKey, authorization: `Bearer ${token}` },
  });
  const { error_code: code } = (await response.json()) as { error_code?: string };
  return code === 'insufficient_aal';
}
