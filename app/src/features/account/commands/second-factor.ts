// The second factor: an authenticator app on the person's phone (TOTP), as the official client's mfa calls know it.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callAuth } from '#/data/session/auth-call.ts';
import { toAuthError } from '#/data/session/auth-errors.ts';
import { supabase } from '#/data/supabase.ts';

const KEY = ['account', 'factors'] as const;

export interface Enrolment {
  factorId: string;
  /** For the app to scan. */
  address: string;
  /** For typing into the app by hand. */
  secret: string;
}

export const factorsQueryOptions = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: async () => {
      const client = await supabase();
      const { data, error } = await client.auth.mfa.listFactors();
      if (error) throw toAuthError(error);
      return data.totp.map((factor) => factor.id);
    },
  });

export function useRefreshFactors() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: KEY });
}

/** Begins; an earlier try that was never finished is removed first. @throws {AppError} */
export async function enrol(): Promise<Enrolment> {
  const client = await supabase();
  const { data: known } = await client.auth.mfa.listFactors();
  for (const factor of known?.all ?? [])
    if (factor.status === 'unverified') await client.auth.mfa.unenroll({ factorId: factor.id });
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (error) throw toAuthError(error);
  return { factorId: data.id, address: data.totp.uri, secret: data.totp.secret };
}

/** @throws {AppError} with 'errors.mfa_verification_failed' */
export async function confirmEnrolment(factorId: string, code: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw toAuthError(error);
}

export async function removeFactor(factorId: string): Promise<void> {
  const client = await supabase();
  const { error } = await client.auth.mfa.unenroll({ factorId });
  if (error) throw toAuthError(error);
}

/** Ten new ones, which cannot be read again; earlier ones end. @throws {AppError} */
export const makeRecoveryCodes = async (): Promise<string[]> =>
  ((await callAuth('recovery-codes', {})) as { codes: string[] }).codes;
