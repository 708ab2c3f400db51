// GET /verify, the page that mailed links open, and POST /verify with a link's token or a six-digit code.
import * as v from 'valibot';
import { inTransaction } from '#/host/db/transaction.ts';
import { json } from '#/host/lib/http.ts';
import { AuthError, invalid, rejectPhone } from '#/host/auth/auth-error.ts';
import { recordChange } from '#/host/auth/account-changes.ts';
import { mailOfType } from '#/host/auth/auth-mails.ts';
import { readJson, text } from '#/host/auth/body.ts';
import type { Auth, Call, Handler, Queryable } from '#/host/auth/context.ts';
import { issueAuthCode } from '#/host/auth/flow-state.ts';
import { linkLanguage, linkPage } from '#/host/auth/link-page.ts';
import { networkOf, sharedSubject } from '#/host/auth/known-networks.ts';
import { countAttempt, limitOf, perIp } from '#/host/auth/auth-limits.ts';
import {
  PKCE_PREFIX,
  takeOneTimeToken,
  type OneTimeToken,
  type TokenType,
} from '#/host/auth/one-time-tokens.ts';
import {
  allowedRedirect,
  redirectTo,
  errorParameters,
  withParameters,
} from '#/host/auth/redirects.ts';
import { sessionParameters, startSession } from '#/host/auth/sessions.ts';
import { emailExists, normalEmail } from '#/host/auth/emails.ts';
import { saveEmailIdentity } from '#/host/auth/credentials.ts';
import { findUserById, isBanned, type User } from '#/host/auth/users.ts';

const tokenTypes: Record<string, TokenType[]> = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  recovery: ['recovery_token'],
  magiclink: ['magic_link_token'],
  email: ['confirmation_token', 'magic_link_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
};

const HALF_CONFIRMED =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email';

const expired = () => new AuthError(403, 'otp_expired', 'Token has expired or is invalid');

function typesOf(type: string): TokenType[] {
  const types = Object.hasOwn(tokenTypes, type) ? tokenTypes[type] : undefined;
  if (!types) throw invalid('Unsupported verification type');
  return types;
}

async function confirmEmail(db: Queryable, user: User): Promise<void> {
  await db.query(
    `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}' where id = $1`,
    [user.id],
  );
  await saveEmailIdentity(db, user.id, user.email ?? '', true);
}

/** Changes the account's email. Returns false if the other address has not confirmed the change yet. */
async function changeEmail(auth: Auth, db: Queryable, user: User): Promise<boolean> {
  const email = user.email_change;
  if (!email) throw expired();
  const open = await db.query(
    `select from auth.one_time_tokens where user_id = $1 and token_type like 'email_change%'`,
    [user.id],
  );
  if (open.rowCount) {
    await db.query('update auth.users set email_change_confirm_status = 1 where id = $1', [
      user.id,
    ]);
    return false;
  }
  try {
    await db.query(
      `update auth.users set email = $2, email_change = '', email_change_confirm_status = 0, updated_at = now(),
         email_confirmed_at = now(), raw_user_meta_data = raw_user_meta_data || $3 where id = $1`,
      [user.id, email, { email, email_verified: true }],
    );
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error;
    throw emailExists();
  }
  await saveEmailIdentity(db, user.id, email, true);
  await recordChange(auth, db, user, email);
  return true;
}

/** Applies a consumed token. Returns null if a change of email still needs the confirmation of the other address. */
async function apply(auth: Auth, db: Queryable, token: OneTimeToken): Promise<User | null> {
  const user = await findUserById(db, token.user_id);
  if (!user) throw expired();
  if (isBanned(user)) throw new AuthError(403, 'user_banned', 'User is banned');
  // A token is invalid if the account has another email by now and is not changing to the token's email.
  const verified = token.token_type === 'email_change_token_new' ? user.email_change : user.email;
  if (token.relates_to !== verified) throw expired();
  // Recovery links and magic links also confirm the email. An attacker may have chosen the password of an unconfirmed account, so
  // the password is removed.
  const logsIn = token.token_type === 'recovery_token' || token.token_type === 'magic_link_token';
  if (logsIn && user.email_confirmed_at === null)
    await db.query('update auth.users set encrypted_password = null where id = $1', [user.id]);
  if (!token.token_type.startsWith('email_change')) await confirmEmail(db, user);
  else if (!(await changeEmail(auth, db, user))) return null;
  return findUserById(db, user.id);
}

const verifyBody = v.object({
  type: text(),
  token: text(),
  token_hash: text(),
  email: text(),
  phone: text(),
});

const verifyJson: Handler = async (auth, call) => {
  const body = await readJson(call.request, verifyBody);
  if ((body.token === '') === (body.token_hash === ''))
    throw invalid('Verify requires either a token or a token hash');
  rejectPhone(body.phone);
  const types = typesOf(body.type);
  const limits = [perIp(auth, call, 'verify')];
  let given: Parameters<typeof takeOneTimeToken>[3] = { link: body.token_hash };
  if (body.token !== '') {
    const email = normalEmail(body.email);
    given = { email, code: body.token, network: networkOf(auth, call) };
    limits.push(limitOf('code', await sharedSubject(auth, call, email)));
  }
  await countAttempt(auth, limits);
  const result = await inTransaction(auth.database.pool, async (db) => {
    const user = await apply(auth, db, await takeOneTimeToken(auth, db, types, given));
    return user && startSession(auth, db, user, 'otp', call);
  });
  return json(result ?? { msg: HALF_CONFIRMED, code: '200' });
};

async function followLink(auth: Auth, call: Call, back: string, pkce: boolean): Promise<string> {
  const type = call.url.searchParams.get('type') ?? '';
  const link = call.url.searchParams.get('token') ?? '';
  const types = typesOf(type);
  await countAttempt(auth, [perIp(auth, call, 'verify')]);
  return inTransaction(auth.database.pool, async (db) => {
    const token = await takeOneTimeToken(auth, db, types, { link });
    const user = await apply(auth, db, token);
    const part = pkce ? 'query' : 'fragment';
    if (!user) return withParameters(back, part, { message: HALF_CONFIRMED });
    if (pkce) return withParameters(back, part, { code: await issueAuthCode(db, token.flow_id) });
    const session = await startSession(auth, db, user, 'otp', call);
    return withParameters(back, part, { ...sessionParameters(session), type });
  });
}

const backOf = (auth: Auth, call: Call): string =>
  allowedRedirect(auth, call.url.searchParams.get('redirect_to'));

/** GET /verify: the page that a mailed link opens, with a button. */
export const getVerify: Handler = (auth, call) => {
  const kind = mailOfType(call.url.searchParams.get('type') ?? '');
  if (!kind) throw invalid('Unsupported verification type');
  const texts = auth.product.linkPage(kind, linkLanguage(auth, call));
  return Promise.resolve(linkPage(auth, call, { ...texts, back: backOf(auth, call) }));
};

/** Handles the button of that page: redirects to the app, with a session or an error. */
const pressButton: Handler = async (auth, call) => {
  const back = backOf(auth, call);
  const pkce = call.url.searchParams.get('token')?.startsWith(PKCE_PREFIX) ?? false;
  try {
    return redirectTo(await followLink(auth, call, back, pkce));
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const parameters = errorParameters(error);
    const inQuery = pkce ? withParameters(back, 'query', parameters) : back;
    return redirectTo(withParameters(inQuery, 'fragment', parameters));
  }
};

/** POST /verify: with a JSON body, exchanges a code or token hash for a session; with a form, handles the button of the page. */
export const postVerify: Handler = (auth, call) =>
  call.request.headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
    ? pressButton(auth, call)
    : verifyJson(auth, call);
