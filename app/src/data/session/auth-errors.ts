// Converts rejections of the auth service to messages for users, by code, message or status.
import { AppError, rejectionId } from '#/core/app-error.ts';
import { type ErrorCode, isNetworkFailure, keyOfCode } from '#/i18n/errors.ts';

/** Codes that mean the same as another code. All others have a message `errors.<code>`. */
const SAME_AS: Readonly<Record<string, ErrorCode>> = {
  anonymous_provider_disabled: 'provider_disabled',
  bad_code_verifier: 'otp_expired',
  bad_jwt: 'session_expired',
  bad_oauth_callback: 'bad_oauth_state',
  email_provider_disabled: 'signup_disabled',
  flow_state_expired: 'otp_expired',
  flow_state_not_found: 'otp_expired',
  forbidden: 'access_denied',
  identity_already_exists: 'email_exists',
  insufficient_aal: 'second_factor_required',
  invite_not_found: 'otp_expired',
  mfa_challenge_expired: 'mfa_verification_failed',
  mfa_verification_rejected: 'mfa_verification_failed',
  no_authorization: 'session_expired',
  not_admin: 'access_denied',
  oauth_provider_not_supported: 'provider_disabled',
  otp_disabled: 'signup_disabled',
  over_email_send_rate_limit: 'too_many',
  over_request_rate_limit: 'too_many',
  over_sms_send_rate_limit: 'too_many',
  phone_provider_disabled: 'provider_disabled',
  provider_email_needs_verification: 'email_not_confirmed',
  provider_not_enabled: 'provider_disabled',
  rate_limited: 'too_many',
  refresh_token_already_used: 'session_expired',
  refresh_token_not_found: 'session_expired',
  session_not_found: 'session_expired',
  unexpected_audience: 'bad_oauth_state',
  user_already_exists: 'email_exists',
};

/** Messages of older versions of the service, whose responses have no code. */
const BY_MESSAGE: readonly [RegExp, ErrorCode][] = [
  [/already (been )?registered/i, 'email_exists'],
  [/invalid login/i, 'invalid_credentials'],
  [/email not confirmed/i, 'email_not_confirmed'],
  [/provider.*not enabled/i, 'provider_disabled'],
  [/network/i, 'offline'],
];

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'access_denied',
  404: 'user_not_found',
  422: 'bad_request',
  429: 'too_many',
  500: 'server_error',
};

/** Converts any failure of an auth call; without a known message it is unexpected, with status 500. */
export function toAuthError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isNetworkFailure(thrown)) return new AppError('errors.offline', 503, { cause: thrown });
  const { code, status, message } = (thrown ?? {}) as Record<string, unknown>;
  const number = typeof status === 'number' && status > 0 ? status : undefined;
  const key =
    keyOfCode(SAME_AS[String(code)] ?? String(code)) ??
    keyOfCode(BY_MESSAGE.find(([pattern]) => pattern.test(String(message)))?.[1]) ??
    keyOfCode(number === undefined ? undefined : BY_STATUS[number]);
  const id = rejectionId(number);
  const details = { ...(id && { values: { id } }), cause: thrown };
  if (key) return new AppError(key, number ?? 400, details);
  return new AppError('errors.unexpected', 500, details);
}

const FIELDS: Partial<Record<AppError['key'], 'email' | 'password' | 'code'>> = {
  'errors.email_exists': 'email',
  'errors.email_address_invalid': 'email',
  'errors.email_address_not_authorized': 'email',
  'errors.weak_password': 'password',
  'errors.same_password': 'password',
  'auth.form.samePassword': 'password',
  'errors.mfa_verification_failed': 'code',
};

/** The form field that an auth error is about, or null. */
export const authErrorField = ({ key }: AppError) => FIELDS[key] ?? null;
