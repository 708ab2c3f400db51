// Enables and disables the second factor, an authenticator app (TOTP), with the official client's mfa calls.
import { queryOptions } from '@tanstack/react-query';
import { requestAuth, callAuth } from '#/data/session/auth-call.ts';
import { supabase } from '#/data/supabase.ts';

export interface Enrolment {
  factorId: string;
  /** URI that is shown as a QR code for the authenticator app. */
  address: string;
  /** The secret as text, for typing into the authenticator app. */
  secret: string;
}

export const factorsQueryOptions = () =>
  queryOptions({
    queryKey: ['account', 'factors'],
    queryFn: async () =>
      (await requestAuth(({ mfa }) => mfa.listFactors())).totp.map((factor) => factor.id),
  });

/** Starts enrolment and removes an earlier, unfinished one. @throws {AppError} */
export async function enrol(): Promise<Enrolment> {
  const { mfa } = (await supabase()).auth;
  const { data: known } = await mfa.listFactors();
  for (const factor of known?.all ?? [])
    if (factor.status === 'unverified') await mfa.unenroll({ factorId: factor.id });
  const { id, totp } = await requestAuth((auth) => auth.mfa.enroll({ factorType: 'totp' }));
  return { factorId: id, address: totp.uri, secret: totp.secret };
}

/** @throws {AppError} with 'errors.mfa_verification_failed' */
export const confirmEnrolment = (factorId: string, code: string) =>
  requestAuth(({ mfa }) => mfa.challengeAndVerify({ factorId, code }));

export const removeFactor = (factorId: string) =>
  requestAuth(({ mfa }) => mfa.unenroll({ factorId }));

/** Creates ten new recovery codes, which cannot be read again, and invalidates earlier ones. @throws {AppError} */
export const makeRecoveryCodes = async (): Promise<string[]> =>
  ((await callAuth('recovery-codes', {})) as { codes: string[] }).codes;
