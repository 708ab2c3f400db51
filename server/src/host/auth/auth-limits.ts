// Rate limits of the auth service: what each route counts, and the response if a limit is exceeded.
import { RateLimiterRes } from 'rate-limiter-flexible';
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import type { RateLimit } from '#/host/auth/attempt-counter.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth, Call } from '#/host/auth/context.ts';

type MessageCode = 'over_email_send_rate_limit' | 'over_sms_send_rate_limit';

/**
 * Attempts from networks where the account has logged in are counted separately from all other attempts, so an attacker elsewhere
 * cannot use up the owner's limit. The total is therefore twice the daily limit. One mailed code of a million is correct, so 2 ×
 * 50 guesses succeed once in 10,000. Three TOTP codes are valid at a time, so 2 × 16 guesses succeed once in 10,416.
 */
export const LIMITS = {
  passwordOfAccountFromIp: { kind: 'password per account and IP', max: 10, seconds: 300 },
  passwordOfAccount: { kind: 'password of an account', max: 100, seconds: 300 },
  passwordAgain: { kind: 'password again', max: 10, seconds: 300 },
  /** Mailed codes. Correct codes are counted too. */
  code: { kind: 'mailed code', max: 50, seconds: 86_400 },
  /** Correct codes are counted too. */
  factor: { kind: 'factor', max: 16, seconds: 86_400 },
  recoveryCode: { kind: 'recovery code', max: 10, seconds: 600 },
  sms: { kind: 'sms', max: 1, seconds: 60 },
  smsInDay: { kind: 'sms a day', max: 20, seconds: 86_400 },
  mailsFromIp: { kind: 'mails per IP and email', max: 10, seconds: 3600 },
  /** The first mails from each IP do not count against `mails`. */
  firstMails: { kind: 'first mails to an email', max: 3, seconds: 86_400 },
  mails: { kind: 'mails to', max: 20, seconds: 86_400 },
};

export const limitOf = (name: keyof typeof LIMITS, subject: string): RateLimit => ({
  ...LIMITS[name],
  subject,
});

/** Refreshes per IP are limited to this multiple of the other limits, because apps refresh their sessions automatically. */
const REFRESHES = 10;

/** Limits per IP. Each has its own counter. */
type IpLimit =
  | 'signup'
  | 'password'
  | 'refresh'
  | 'pkce'
  | 'verify'
  | 'authorize'
  | 'callback'
  | 'id_token'
  | 'not me';

/** Returns the limit of one route per IP. An IPv6 network counts as one IP. */
export function perIp(auth: Auth, call: Call, kind: IpLimit): RateLimit {
  const subject = ipSubject(call.ip);
  const max = auth.settings.AUTH_RATE_LIMIT * (kind === 'refresh' ? REFRESHES : 1);
  return { kind, subject, max, seconds: 300 };
}

/** The hourly limit of all mails that one IP may request. */
export const mailsFrom = (auth: Auth, subject: string): RateLimit => ({
  kind: 'mails from',
  subject,
  max: auth.settings.AUTH_RATE_LIMIT,
  seconds: 3600,
});

/** At most one mail per email address within AUTH_MAIL_INTERVAL. Not used if the interval is 0. */
export const mailInterval = (auth: Auth, subject: string): RateLimit => ({
  kind: 'mail',
  subject,
  max: 1,
  seconds: auth.settings.AUTH_MAIL_INTERVAL,
});

export const tooManyRequests = () =>
  new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached');

/**
 * Counts one attempt against each limit, in order. Pass limits per IP first, so that an IP that exceeds its limit does not use up
 * the limits of accounts.
 * @param messageCode the error code for limits of messages; the response then contains the waiting time
 * @throws AuthError 429 if a limit is exceeded
 */
export async function countAttempt(
  auth: Auth,
  limits: RateLimit[],
  messageCode?: MessageCode,
): Promise<void> {
  try {
    await auth.attemptCounter.consume(limits);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    if (messageCode === undefined) throw tooManyRequests();
    const seconds = Math.ceil(error.msBeforeNext / 1000);
    throw new AuthError(
      429,
      messageCode,
      `For security purposes, you can only request this after ${seconds} seconds.`,
    );
  }
}
