// Calls of the auth service that the official client does not know, as the person who is logged in.
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';
import { getConfig } from '#/platform/config.ts';

export async function callAuth(path: string, body: object): Promise<unknown> {
  const client = await supabase();
  const { data } = await client.auth.getSession();
  const { supabaseUrl, anonKey } = getConfig();
  const response = await fetch(`${supabaseUrl}/auth/v1/${path}`, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${data.session?.access_token ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw toAuthError(error);
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw toAuthError({
    code: (answer as { error_code?: string }).error_code,
    status: response.status,
  });
}
