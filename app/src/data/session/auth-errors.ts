// What the auth service refuses, as the text that people see: by its code, else by its status, else by its message.
import type { MessageKey } from '#/i18n/i18n.ts';
import { AppError, isNetworkFailure } from '#/i18n/errors.ts';

const EMAIL_EXISTS = 'auth.error.emailExists';
const LINK_EXPIRED = 'auth.error.linkExpired';
const PROVIDER_OFF = 'auth.error.providerNotEnabled';
const SIGNUP_OFF = 'auth.error.signupDisabled';
const TOO_MANY = 'errors.tooManyAttempts';
const SESSION_EXPIRED = 'errors.sessionExpired';
const WRONG_CODE = 'auth.error.wrongCode';

const BY_CODE: Readonly<Record<string, MessageKey>> = {
  anonymous_provider_disabled: PROVIDER_OFF,
  bad_code_verifier: LINK_EXPIRED,
  bad_jwt: SESSION_EXPIRED,
  bad_oauth_callback: 'auth.error.providerFailed',
  bad_oauth_state: 'auth.error.providerFailed',
  captcha_failed: 'auth.error.captchaFailed',
  email_address_invalid: 'auth.error.emailInvalid',
  email_address_not_authorized: 'auth.error.emailNotAuthorized',
  email_exists: EMAIL_EXISTS,
  email_not_confirmed: 'auth.error.emailNotConfirmed',
  email_provider_disabled: SIGNUP_OFF,
  flow_state_expired: LINK_EXPIRED,
  flow_state_not_found: LINK_EXPIRED,
  forbidden: 'errors.accessDenied',
  identity_already_exists: EMAIL_EXISTS,
  insufficient_aal: 'auth.error.secondFactorNeeded',
  invalid_credentials: 'auth.error.invalidCredentials',
  invite_not_found: LINK_EXPIRED,
  mfa_challenge_expired: WRONG_CODE,
  mfa_verification_failed: WRONG_CODE,
  mfa_verification_rejected: WRONG_CODE,
  no_authorization: SESSION_EXPIRED,
  not_admin: 'errors.accessDenied',
  oauth_provider_not_supported: PROVIDER_OFF,
  otp_disabled: SIGNUP_OFF,
  otp_expired: LINK_EXPIRED,
  over_email_send_rate_limit: TOO_MANY,
  over_request_rate_limit: TOO_MANY,
  over_sms_send_rate_limit: TOO_MANY,
  phone_provider_disabled: PROVIDER_OFF,
  provider_disabled: PROVIDER_OFF,
  provider_email_needs_verification: 'auth.error.emailNotConfirmed',
  provider_not_enabled: PROVIDER_OFF,
  rate_limited: TOO_MANY,
  reauthentication_needed: SESSION_EXPIRED,
  refresh_token_already_used: SESSION_EXPIRED,
  refresh_token_not_found: SESSION_EXPIRED,
  same_password: 'auth.error.samePassword',
  session_expired: SESSION_EXPIRED,
  session_not_found: SESSION_EXPIRED,
  signup_disabled: SIGNUP_OFF,
  too_many_enrolled_mfa_factors: 'auth.error.tooManyFactors',
  unexpected_audience: 'auth.error.providerFailed',
  user_already_exists: EMAIL_EXISTS,
  user_banned: 'auth.error.userBanned',
  user_not_found: 'auth.error.userNotFound',
  weak_password: 'auth.error.weakPassword',
};

const BY_STATUS: Readonly<Record<number, MessageKey>> = {
  400: 'auth.error.badRequest',
  401: 'auth.error.unauthorized',
  403: 'errors.accessDenied',
  404: 'auth.error.userNotFound',
  422: 'auth.error.badRequest',
  429: TOO_MANY,
  500: 'auth.error.server',
};

const BY_MESSAGE: readonly [RegExp, MessageKey][] = [
  [/already (been )?registered/i, EMAIL_EXISTS],
  [/invalid login/i, 'auth.error.invalidCredentials'],
  [/email not confirmed/i, 'auth.error.emailNotConfirmed'],
  [/provider.*not enabled/i, PROVIDER_OFF],
  [/network/i, 'errors.offline'],
];

interface AuthFailure {
  code?: unknown;
  status?: unknown;
  message?: unknown;
}

/** Any failure of an auth call; what nothing here knows is unexpected, with status 500. */
export function toAuthError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isNetworkFailure(thrown)) return new AppError('errors.offline', 503, { cause: thrown });
  const { code, status, message } = (thrown ?? {}) as AuthFailure;
  const number = typeof status === 'number' && status > 0 ? status : undefined;
  const key =
    BY_CODE[String(code)] ??
    BY_MESSAGE.find(([pattern]) => pattern.test(String(message)))?.[1] ??
    (number === undefined ? undefined : BY_STATUS[number]);
  if (key) return new AppError(key, number ?? 400, { cause: thrown });
  return new AppError('errors.dogAteTheCode', 500, { cause: thrown });
}

/** The field of a form that an auth error is about, or null when it is about none. */
export function authErrorField({ key }: AppError): 'email' | 'password' | 'code' | null {
  if (key === EMAIL_EXISTS || key === 'auth.error.emailInvalid') return 'email';
  if (key === 'auth.error.emailNotAuthorized') return 'email';
  if (key === 'auth.error.weakPassword' || key === 'auth.error.samePassword') return 'password';
  return key === WRONG_CODE ? 'code' : null;
}
