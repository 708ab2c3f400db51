// The mails that prove somebody owns an address: a one-time token, its link, and the mail around it.
import { ipSubject } from '#/host/lib/ip-addresses.ts';
import { negotiateLanguage } from '#/host/lib/languages.ts';
import type { Auth, Call, Queryable } from '#/host/auth/context.ts';
import { checkChallenge, rememberChallenge, type Challenge } from '#/host/auth/flow-state.ts';
import { countAttempt, limitOf, mailInterval, mailsFrom } from '#/host/auth/rate-limits.ts';
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

/** How the browser that asks for a mail wants to come back from it. */
export interface Return {
  redirectTo: string;
  challenge: Challenge;
  language: string;
  /** A password that counts only if the browser with the challenge comes back. */
  passwordHash?: string;
}

interface Kind {
  token: TokenType;
  /** As the link names it. */
  type: 'signup' | 'invite' | 'recovery' | 'magiclink' | 'email_change';
  /** The column with the time of the last one. */
  sentAt: string;
}

const kinds: Record<Exclude<MailKind, 'reauthentication'>, Kind> = {
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

/** The proof that a link of this `type` gives. */
export function methodOf(wanted: string): Proof['method'] {
  const type = Object.values(kinds).find((kind) => kind.type === wanted)?.type ?? 'otp';
  return type === 'signup' ? 'email/signup' : type;
}

const noChallenge: Challenge = { code_challenge: '', code_challenge_method: '' };

/** The user's own language where mails can be in it, else the browser's. */
export function languageOf(
  { product }: Auth,
  user: { raw_user_meta_data: Record<string, unknown> },
  browser: string,
): string {
  const own = user.raw_user_meta_data.language;
  return product.languages.find((language) => language === own) ?? browser;
}

/** Reads how the person wants to come back: `redirect_to`, the PKCE challenge, the browser's language. Throws AuthError 400. */
export function readReturn(auth: Auth, call: Call, challenge: Challenge = noChallenge): Return {
  checkChallenge(challenge);
  // It is stored while the mail waits: nothing else of a body that has these members may come along.
  const { code_challenge, code_challenge_method } = challenge;
  return {
    redirectTo: allowedRedirect(auth, call.url.searchParams.get('redirect_to')),
    challenge: { code_challenge, code_challenge_method },
    language: negotiateLanguage(auth.product.languages, call.request),
  };
}

/** Whether mails wait because the mail server takes none. */
async function isMailLate({ database }: Auth): Promise<boolean> {
  const { rows } = await database.pool.query<{ late: boolean }>(
    'select private.mail_is_late() as late',
  );
  return rows[0]?.late ?? false;
}

/**
 * Counts a mail to an email, whether or not it has an account, because the answer must not reveal that.
 * @throws AuthError 429 over_email_send_rate_limit
 */
export async function countMail(auth: Auth, call: Call, email: string): Promise<void> {
  const ip = ipSubject(call.ip);
  const subject = `${ip} ${email}`;
  const count = (...limits: RateLimit[]) =>
    countAttempt(auth, limits, 'over_email_send_rate_limit');
  const from = mailsFrom(auth, ip);
  // While the mail server takes nothing, no mail was sent that a second one would follow; for every email alike.
  if (auth.settings.AUTH_MAIL_INTERVAL === 0 || (await isMailLate(auth))) return count(from);
  // One after the other: what is refused to an address, or comes too soon, is no mail of the email's day.
  await count(from, limitOf('mailsFromIp', subject));
  await count(mailInterval(auth, email));
  // However many mails strangers ask for, an owner can still ask for one from elsewhere.
  await count(limitOf('firstMails', subject)).catch((error: unknown) => {
    if (!(error instanceof AuthError)) throw error;
    return count(limitOf('mails', email));
  });
}

/** Notes in the account when its last mail of a kind was asked for, or made. */
async function recordSent(db: Queryable, user: User, sentAt: string): Promise<void> {
  await db.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [
    user.id,
  ]);
}

/** Makes the link and the code of a mail, without sending it. */
export async function createLink(
  auth: Auth,
  user: User,
  kind: keyof typeof kinds,
  back: Return,
  email: string,
  token?: TokenType,
): Promise<{ url: string; link: string; code: string }> {
  const { type, sentAt, token: ownToken } = kinds[kind];
  const db = auth.database.pool;
  const pkce = back.challenge.code_challenge !== '';
  const { link, code } = await createOneTimeToken(
    auth,
    db,
    user.id,
    token ?? ownToken,
    email,
    pkce,
  );
  await rememberChallenge(db, user.id, back.challenge, methodOf(type), back.passwordHash);
  await recordSent(db, user, sentAt);
  const query = new URLSearchParams({ token: link, type, redirect_to: back.redirectTo });
  return { url: `${auth.siteUrl}/auth/v1/verify?${query}`, link, code };
}

/**
 * What is stored of a mail until the mail server has taken it: nothing that opens an account. The link and the code are
 * made when it is sent, each time anew, so that they also last as long as the mail says.
 */
interface QueuedMail {
  kind: MailKind;
  userId: string;
  email: string;
  token: TokenType;
  back: Return;
}

/** Queues a mail. Of one kind of token only the newest mail is worth sending: it takes the place of one that waits. */
async function queueMail(
  auth: Auth,
  mail: QueuedMail,
  db: Queryable = auth.database.pool,
): Promise<void> {
  const job = {
    key: `${mail.userId} ${mail.token}`,
    payload: mail,
    userId: mail.userId,
    lifetime: hoursOf(mail.token) * 3600,
  };
  await auth.jobs.add(MAIL_JOB, job, db);
}

/** Queues the mail with a link and a code. `db`: the transaction that it belongs to. */
export async function mailLink(
  auth: Auth,
  user: User,
  kind: keyof typeof kinds,
  back: Return,
  {
    email = user.email ?? '',
    token = kinds[kind].token,
    db = auth.database.pool,
  }: { email?: string; token?: TokenType; db?: Queryable | undefined } = {},
): Promise<void> {
  // Both addresses must agree to a change: from the request on, neither link alone is enough.
  if (kind === 'email_change') await createOneTimeToken(auth, db, user.id, token, email, false);
  await recordSent(db, user, kinds[kind].sentAt);
  await queueMail(auth, { kind, userId: user.id, email, token, back }, db);
}

/** Queues the mails about a new address: to itself, and where emails are confirmed to the current one, too. Both must agree. */
export async function mailEmailChange(
  auth: Auth,
  user: User,
  back: Return,
  db?: Queryable,
): Promise<void> {
  // The current one first: there is no moment in which the new one alone would do.
  if (auth.confirmEmail && user.email !== null)
    await mailLink(auth, user, 'email_change', back, { token: 'email_change_token_current', db });
  await mailLink(auth, user, 'email_change', back, { email: user.email_change ?? '', db });
}

/** Queues the mail with the code that a new password asks for. */
export async function mailReauthentication(auth: Auth, user: User, back: Return): Promise<void> {
  await queueMail(auth, {
    kind: 'reauthentication',
    userId: user.id,
    email: user.email ?? '',
    token: 'reauthentication_token',
    back,
  });
}

/** Whether the account still asks for this mail. */
function isWanted({ kind, token, email }: QueuedMail, user: User | null): user is User {
  if (!user || isBanned(user)) return false;
  if (kind === 'confirmation' || kind === 'invite') return user.email_confirmed_at === null;
  if (kind === 'email_change' && !user.email_change) return false;
  return email === (token === 'email_change_token_new' ? user.email_change : user.email);
}

/** Sends one mail of the queue. Throws JobError where the mail server did not take it. */
export async function mailQueued(auth: Auth, { payload }: Job): Promise<void> {
  const mail = payload as QueuedMail;
  const { kind, email, token, back } = mail;
  const db = auth.database.pool;
  const user = await findUserById(db, mail.userId);
  if (!isWanted(mail, user)) return;
  let values: { ConfirmationURL: string; Token: string };
  if (kind === 'reauthentication') {
    const { code } = await createOneTimeToken(auth, db, user.id, token, email, false);
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
  // The mail server works again: what waits for its next attempt goes out now.
  await db.query(
    `update private.jobs set due_at = now()
     where kind = any ($1) and failed_at is null and lease is null and due_at > now() and starts_with(error, $2)`,
    [[MAIL_REQUEST_JOB, MAIL_JOB], SERVER_UNUSABLE],
  );
}
