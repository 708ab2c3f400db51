// The mails that prove somebody owns an address: a one-time token, its link, and the mail around it.
import { addressSubject } from '#/host/lib/addresses.ts';
import { negotiateLanguage } from '#/host/lib/languages.ts';
import type { Auth, Call } from '#/host/auth/context.ts';
import { checkChallenge, rememberChallenge, type Challenge } from '#/host/auth/flow-state.ts';
import { countAttempt } from '#/host/auth/limits.ts';
import type { MailKind } from '#/host/auth/mailer.ts';
import { createOneTimeToken, type TokenType } from '#/host/auth/one-time-tokens.ts';
import { allowedRedirect } from '#/host/auth/redirects.ts';
import type { Proof } from '#/host/auth/sessions.ts';
import type { User } from '#/host/auth/users.ts';

/** How the browser that asks for a mail wants to come back from it. */
export interface Return {
  redirectTo: string;
  challenge: Challenge;
  /** A two-letter code. */
  language: string;
  /** A password that counts only if the browser with the challenge comes back. */
  passwordHash?: string;
}

interface Kind {
  token: TokenType;
  /** The `type` in the link, as auth-js and /verify name it. */
  type: string;
  method: Proof['method'];
  sentAt: string;
}

const kinds: Record<Exclude<MailKind, 'reauthentication'>, Kind> = {
  confirmation: {
    token: 'confirmation_token',
    type: 'signup',
    method: 'email/signup',
    sentAt: 'confirmation_sent_at',
  },
  invite: {
    token: 'confirmation_token',
    type: 'invite',
    method: 'invite',
    sentAt: 'invited_at',
  },
  recovery: {
    token: 'recovery_token',
    type: 'recovery',
    method: 'recovery',
    sentAt: 'recovery_sent_at',
  },
  magic_link: {
    token: 'magic_link_token',
    type: 'magiclink',
    method: 'magiclink',
    sentAt: 'recovery_sent_at',
  },
  email_change: {
    token: 'email_change_token_new',
    type: 'email_change',
    method: 'email_change',
    sentAt: 'email_change_sent_at',
  },
};

/** The proof that a link of this `type` gives. */
export const methodOf = (type: string): Proof['method'] =>
  Object.values(kinds).find((kind) => kind.type === type)?.method ?? 'otp';

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

/**
 * Reads how the person wants to come back: `redirect_to`, the PKCE challenge, the browser's language.
 * @throws AuthError 400
 */
export function readReturn(auth: Auth, call: Call, challenge: Challenge = noChallenge): Return {
  checkChallenge(challenge);
  return {
    redirectTo: allowedRedirect(auth, call.url.searchParams.get('redirect_to')),
    challenge,
    language: negotiateLanguage(auth.product.languages, call.request),
  };
}

/**
 * Counts a mail to an email, whether or not it has an account, because the answer must not reveal that.
 * @throws AuthError 429 over_email_send_rate_limit
 */
export function countMail(auth: Auth, call: Call, email: string): Promise<void> {
  const { AUTH_MAIL_INTERVAL: seconds, AUTH_RATE_LIMIT: most } = auth.settings;
  const limits = [
    { kind: 'mails from', subject: addressSubject(call.address), most, seconds: 3600 },
    ...(seconds === 0 ? [] : [{ kind: 'mail', subject: email, most: 1, seconds }]),
  ];
  return countAttempt(auth, limits, 'over_email_send_rate_limit');
}

/** Makes the link and the code of a mail, without sending it. */
export async function createLink(
  auth: Auth,
  user: User,
  kind: keyof typeof kinds,
  back: Return,
  email: string,
  token: TokenType = kinds[kind].token,
): Promise<{ url: string; link: string; code: string; type: string }> {
  const { type, method, sentAt } = kinds[kind];
  const db = auth.database.pool;
  const { link, code } = await createOneTimeToken(
    auth,
    db,
    user.id,
    token,
    email,
    back.challenge.code_challenge !== '',
  );
  await rememberChallenge(db, user.id, back.challenge, method, back.passwordHash);
  await db.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [
    user.id,
  ]);
  const query = new URLSearchParams({ token: link, type, redirect_to: back.redirectTo });
  return { url: `${auth.siteUrl}/auth/v1/verify?${query}`, link, code, type };
}

/** Makes a link and a code and mails them, after the answer. Not to be used inside a transaction. */
export async function mailLink(
  auth: Auth,
  user: User,
  kind: keyof typeof kinds,
  back: Return,
  email = user.email ?? '',
  token: TokenType = kinds[kind].token,
): Promise<void> {
  const { url, code } = await createLink(auth, user, kind, back, email, token);
  auth.background(() =>
    auth.mailer.send({
      kind,
      to: email,
      language: languageOf(auth, user, back.language),
      values: {
        ConfirmationURL: url,
        Token: code,
        Email: user.email ?? '',
        NewEmail: user.email_change ?? '',
      },
    }),
  );
}
