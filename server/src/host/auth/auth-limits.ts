// Rate limits of the auth service: the subjects of each route, and the response to an exceeded limit.
import { RateLimiterRes } from 'rate-limiter-flexible';
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import type { RateLimit } from '#/host/auth/attempt-counter.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import type { Auth, Call } from '#/host/auth/context.ts';

type MessageCode = 'over_email_send_rate_limit' | 'over_sms_send_rate_limit';

/**
 * Each limit counts either one network or session, or `sharedSubject`, so that attackers elsewhere never use up the owner's share.
 *
 * All networks together may guess twice the daily limit, because the known networks of an account and all others are counted
 * separately. A guess is compared with one mailed code of a million, so 2 × 50 guesses succeed once in 10,000. Three TOTP codes are
 * valid at a time, so 2 × 16 guesses succeed once in 10,416.
 */
export const LIMITS = {
  passwordOfAccountFromIp: { kind: 'password per account and IP', max: 10, seconds: 300 },
  passwordOfAccount: { kind: 'password of an account', max: 100, seconds: 300 },
  passwordAgain: { kind: 'password again', max: 10, seconds: 300 },
  /** Codes of mails. Correct codes count too. */
  code: { kind: 'mailed code', max: 50, seconds: 86_400 },
  /** Correct codes count too. */
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

/** Factor by which the limit of refreshes per IP exceeds the other limits, because apps refresh their sessions automatically. */
const REFRESHES = 10;

/** Limits that count the IP alone. Each has its own counter. */
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

/** The limit of one route per IP. An IPv6 network counts as one IP. */
export function perIp(auth: Auth, call: Call, kind: IpLimit): RateLimit {
  const subject = ipSubject(call.ip);
  const max = auth.settings.AUTH_RATE_LIMIT * (kind === 'refresh' ? REFRESHES : 1);
  return { kind, subject, max, seconds: 300 };
}

/** The limit of all mails that one IP may request per hour. */
export const mailsFrom = (auth: Auth, subject: string): RateLimit => ({
  kind: 'mails from',
  subject,
  max: auth.settings.AUTH_RATE_LIMIT,
  seconds: 3600,
});

/** One mail to an email within AUTH_MAIL_INTERVAL. Not used if the interval is 0. */
export const mailInterval = (auth: Auth, subject: string): RateLimit => ({
  kind: 'mail',
  subject,
  max: 1,
  seconds: auth.settings.AUTH_MAIL_INTERVAL,
});

export const tooManyRequests = () =>
  new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached');

/**
 * Counts one attempt against each limit, in this order. Callers pass limits per IP first, so that a rejection there does not count
 * against others.
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
