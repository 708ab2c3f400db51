// Calls of the auth service as the logged-in user, through the official client or directly.
import { AppError, noteRejection } from '#/core/app-error.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { type Supabase, supabase } from '#/data/supabase.ts';
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
  const result: unknown = await response.json().catch(() => ({}));
  if (response.ok) return result;
  noteRejection(response.status, response.headers.get('sb-request-id'));
  throw toAuthError({
    code: (result as { error_code?: string }).error_code,
    status: response.status,
  });
}

type AuthResponse = { data: unknown; error: unknown };

/** Returns the data of a call that the client supports. @throws {AppError} */
export async function requestAuth<A extends AuthResponse>(
  call: (auth: Supabase['auth']) => Promise<A>,
): Promise<Extract<A, { error: null }>['data']> {
  const { data, error } = await call((await supabase()).auth);
  if (error) throw toAuthError(error);
  return data;
}

/** Verifies a code of the user's authenticator app, which raises this session to AAL2. @throws {AppError} */
export async function verifyFactor(code: string): Promise<void> {
  const [factor] = (await requestAuth(({ mfa }) => mfa.listFactors())).totp;
  if (!factor) throw toAuthError({ code: 'mfa_verification_failed', status: 422 });
  await requestAuth(({ mfa }) => mfa.challengeAndVerify({ factorId: factor.id, code }));
}

/** Changes the password of the logged-in user. @throws {AppError} such as 'auth.form.samePassword' */
export const saveNewPassword = (password: string) =>
  requestAuth((auth) => auth.updateUser({ password })).catch((error: AppError) => {
    // Use another message, because the usual one for this error reads as if the field were empty.
    if (error.key === 'errors.same_password') throw new AppError('auth.form.samePassword', 422);
    throw error;
  });
