// The second factor: an authenticator app on the person's phone (TOTP), as the official client's mfa calls know it.
import { queryOptions } from '@tanstack/react-query';
import { requestAuth, callAuth } from '#/data/session/auth-call.ts';
import { supabase } from '#/data/supabase.ts';

export interface Enrolment {
  factorId: string;
  /** For the app to scan. */
  address: string;
  /** For typing into the app by hand. */
  secret: string;
}

export const factorsQueryOptions = () =>
  queryOptions({
    queryKey: ['account', 'factors'],
    queryFn: async () =>
      (await requestAuth(({ mfa }) => mfa.listFactors())).totp.map((factor) => factor.id),
  });

/** Begins; an earlier try that was never finished is removed first. @throws {AppError} */
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

/** Ten new ones, which cannot be read again; earlier ones end. @throws {AppError} */
export const makeRecoveryCodes = async (): Promise<string[]> =>
  ((await callAuth('recovery-codes', {})) as { codes: string[] }).codes;
