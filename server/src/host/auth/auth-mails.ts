// Mails that verify an email address: a one-time token, its link, and the mail itself.
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import { negotiateLanguage } from '#/host/lib/languages.ts';
import type { Auth, Call, Queryable } from '#/host/auth/context.ts';
import { checkChallenge, rememberChallenge, type Challenge } from '#/host/auth/flow-state.ts';
import { networkOf, sharedSubject } from '#/host/auth/known-networks.ts';
import { countAttempt, limitOf, mailInterval, mailsFrom } from '#/host/auth/auth-limits.ts';
import { SERVER_UNUSABLE } from '#/host/auth/mailer.ts';
import type { MailKind } from '#/host/host-parts.ts';
import type { Job } from '#/host/jobs/job-queue.ts';
import type { RateLimit } from '#/host/auth/attempt-counter.ts';
import { AuthError } from '#/host/auth/auth-error.ts';
import { createOneTimeToken, hoursOf, type TokenType } from '#/host/auth/one-time-tokens.ts';
import { allowedRedirect } from '#/host/auth/redirects.ts';
import type { Proof } from '#/host/auth/sessions.ts';
import { findUserById, isBanned, type User } from '#/host/auth/users.ts';

export const MAIL_REQUEST_JOB = 'request-mail';
export const MAIL_JOB = 'send-mail';
export const MAILS_AT_ONCE = 4;

/** Where the browser is redirected after it opened the link in a mail, and how it proves that it started the flow (PKCE). */
export interface Return {
  redirectTo: string;
  challenge: Challenge;
  language: string;
  /** A keyed hash of the requester's network. */
  network: string;
  /** Hash of a password that takes effect only if the browser that sent the PKCE challenge opens the link. */
  passwordHash?: string;
}

interface Kind {
  token: TokenType;
  /** The value of the link's `type` parameter. */
  type: 'signup' | 'invite' | 'recovery' | 'magiclink' | 'email_change';
  /** The column of auth.users with the time of the last mail of this type. */
  sentAt: string;
}

export const LINKS: Record<Exclude<MailKind, 'reauthentication'>, Kind> = {
  confirmation: { token: 'confirmation_token', type: 'signup', sentAt: 'confirmation_sent_at' },
  invite: { token: 'confirmation_token', type: 'invite', sentAt: 'invited_at' },
  recovery: { token: 'recovery_token', type: 'recovery', sentAt: 'recovery_sent_at' },
  magic_link: { token: 'magic_link_token', type: 'magiclink', sentAt: 'recovery_sent_at' },
  email_change: {
    token: 'email_change_token_new',
    type: 'email_change',
    sentAt: 'email_change_sent_at',
  },
};

/** Returns the type of mail whose links have this `type` parameter; undefined for unknown values. */
export const mailOfType = (wanted: string): keyof typeof LINKS | undefined =>
  (Object.keys(LINKS) as (keyof typeof LINKS)[]).find((kind) => LINKS[kind].type === wanted);

/** Returns the authentication method (AMR) of a session that was started by a link with this `type`. */
export function methodOf(wanted: string): Proof['method'] {
  const kind = mailOfType(wanted);
  const type = kind ? LINKS[kind].type : 'otp';
  return type === 'signup' ? 'email/signup' : type;
}

const noChallenge: Challenge = { code_challenge: '', code_challenge_method: '' };

/** Returns the user's language if mails are available in it, otherwise the browser's. */
export function languageOf(
  { product }: Auth,
  user: { raw_user_meta_data: Record<string, unknown> },
  browser: string,
): string {
  const own = user.raw_user_meta_data.language;
  return product.languages.find((language) => language === own) ?? browser;
}

/**
 * Reads the parameters for the redirect: `redirect_to`, the PKCE challenge and the browser's language.
 * @throws AuthError 400
 */
export function readReturn(auth: Auth, call: Call, challenge: Challenge = noChallenge): Return {
  checkChallenge(challenge);
  // The result is stored with the queued mail, so only these two members of the body are copied.
  const { code_challenge, code_challenge_method } = challenge;
  return {
    redirectTo: allowedRedirect(auth, call.url.searchParams.get('redirect_to')),
    challenge: { code_challenge, code_challenge_method },
    language: negotiateLanguage(auth.product.languages, call.request),
    network: networkOf(auth, call),
  };
}

/** Returns true if mails are queued because the mail server cannot be used. */
async function isMailLate({ database }: Auth): Promise<boolean> {
  const { rows } = await database.pool.query<{ late: boolean }>(
    'select private.mail_is_late() as late',
  );
  return rows[0]?.late ?? false;
}

/**
 * Counts a mail to an email address. Addresses without an account are counted too, because the response must not reveal whether
 * there is an account.
 * @throws AuthError 429 over_email_send_rate_limit
 */
export async function countMail(auth: Auth, call: Call, email: string): Promise<void> {
  const ip = ipSubject(call.ip);
  const subject = `${ip} ${email}`;
  const count = (...limits: RateLimit[]) =>
    countAttempt(auth, limits, 'over_email_send_rate_limit');
  const from = mailsFrom(auth, ip);
  // While the mail server cannot be used, the minimum interval between two mails does not apply, because the earlier mail was not
  // sent. This is true for every address, so it does not reveal which addresses have an account.
  if (auth.settings.AUTH_MAIL_INTERVAL === 0 || (await isMailLate(auth))) return count(from);
  // The limits are counted in this order, because a request that the IP's limit or the interval rejects must not count against the
  // email's daily limit.
  await count(from, limitOf('mailsFromIp', subject));
  const shared = await sharedSubject(auth, call, email);
  await count(mailInterval(auth, shared));
  // The first mails from each IP do not count against the recipient's limit. So owners can request a mail from another IP, even if
  // attackers have used up the recipient's limit.
  await count(limitOf('firstMails', subject)).catch((error: unknown) => {
    if (!(error instanceof AuthError)) throw error;
    return count(limitOf('mails', shared));
  });
}

/** Records in the account when its last mail of a type was requested. */
async function recordSent(db: Queryable, user: User, sentAt: string): Promise<void> {
  await db.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [
    user.id,
  ]);
}

/** Creates the link and the code of a mail, without sending it. */
export async function createLink(
  auth: Auth,
  user: User,
  kind: keyof typeof LINKS,
  back: Return,
  email: string,
  token?: TokenType,
): Promise<{ url: string; link: string; code: string }> {
  const { type, sentAt, token: ownToken } = LINKS[kind];
  const db = auth.database.pool;
  const method = methodOf(type);
  const flowId = await rememberChallenge(db, user.id, back.challenge, method, back.passwordHash);
  const { link, code } = await createOneTimeToken(auth, db, user, token ?? ownToken, email, {
    network: back.network,
    flowId,
  });
  await recordSent(db, user, sentAt);
  const query = new URLSearchParams({ token: link, type, redirect_to: back.redirectTo });
  return { url: `${auth.siteUrl}/auth/v1/verify?${query}`, link, code };
}

/**
 * A mail in the queue. It contains neither the link nor the code, because both are created at each attempt to send. So the queue
 * grants no access, and both are valid for the full time that the mail states.
 */
interface QueuedMail {
  kind: MailKind;
  userId: string;
  email: string;
  token: TokenType;
  back: Return;
}

/** Queues a mail and removes an earlier queued mail of the same type, because only the newest link is useful. */
async function queueMail(
  auth: Auth,
  mail: QueuedMail,
  db: Queryable = auth.database.pool,
): Promise<void> {
  const job = {
    key: `${mail.userId} ${mail.token} ${mail.back.network}`,
    payload: mail,
    userId: mail.userId,
    lifetime: hoursOf(mail.token) * 3600,
  };
  await auth.jobs.add(MAIL_JOB, job, db);
}

/**
 * Queues a mail with a link and a code.
 * @param db the transaction to use
 */
export async function mailLink(
  auth: Auth,
  user: User,
  kind: keyof typeof LINKS,
  back: Return,
  {
    email = user.email ?? '',
    token = LINKS[kind].token,
    db = auth.database.pool,
  }: { email?: string; token?: TokenType; db?: Queryable | undefined } = {},
): Promise<void> {
  // A change of email must be confirmed at both addresses. Both tokens are created with the request. If they were created when each
  // mail is sent, a single link could be enough.
  if (kind === 'email_change') await createOneTimeToken(auth, db, user, token, email, back);
  await recordSent(db, user, LINKS[kind].sentAt);
  await queueMail(auth, { kind, userId: user.id, email, token, back }, db);
}

/**
 * Queues the mails about a new email: to the new address and, if emails must be confirmed, to the current one. Both must confirm.
 */
export async function mailEmailChange(
  auth: Auth,
  user: User,
  back: Return,
  db?: Queryable,
): Promise<void> {
  // The current address is handled first, so that confirming the new address alone is never enough.
  if (auth.confirmEmail && user.email !== null)
    await mailLink(auth, user, 'email_change', back, { token: 'email_change_token_current', db });
  await mailLink(auth, user, 'email_change', back, { email: user.email_change ?? '', db });
}

/** Queues the mail with the code that a change of password requires. */
export async function mailReauthentication(auth: Auth, user: User, back: Return): Promise<void> {
  await queueMail(auth, {
    kind: 'reauthentication',
    userId: user.id,
    email: user.email ?? '',
    token: 'reauthentication_token',
    back,
  });
}

/** Returns true if the account still needs this mail. */
function isWanted({ kind, token, email }: QueuedMail, user: User | null): user is User {
  if (!user || isBanned(user)) return false;
  if (kind === 'confirmation' || kind === 'invite') return user.email_confirmed_at === null;
  if (kind === 'email_change' && !user.email_change) return false;
  return email === (token === 'email_change_token_new' ? user.email_change : user.email);
}

/**
 * Sends one queued mail.
 * @throws JobError if the mail server did not accept it
 */
export async function mailQueued(auth: Auth, { payload }: Job): Promise<void> {
  const mail = payload as QueuedMail;
  const { kind, email, token, back } = mail;
  const db = auth.database.pool;
  const user = await findUserById(db, mail.userId);
  if (!isWanted(mail, user)) return;
  let values: { ConfirmationURL: string; Token: string };
  if (kind === 'reauthentication') {
    const { code } = await createOneTimeToken(auth, db, user, token, email, back);
    await db.query('update auth.users set reauthentication_sent_at = now() where id = $1', [
      user.id,
    ]);
    values = { ConfirmationURL: '', Token: code };
  } else {
    const { url, code } = await createLink(auth, user, kind, back, email, token);
    values = { ConfirmationURL: url, Token: code };
  }
  await auth.mailer.send({
    kind,
    to: email,
    language: languageOf(auth, user, back.language),
    values: { ...values, Email: user.email ?? '', NewEmail: user.email_change ?? '' },
  });
  // This mail was accepted, so the mail server works again. Mails that are waiting for their next attempt become due now.
  await db.query(
    `update private.jobs set due_at = now()
     where type = any ($1) and failed_at is null and lease is null and due_at > now() and starts_with(error, $2)`,
    [[MAIL_REQUEST_JOB, MAIL_JOB], SERVER_UNUSABLE],
  );
}
