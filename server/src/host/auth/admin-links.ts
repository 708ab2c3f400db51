// POST /invite and /admin/generate_link, with which the service key creates accounts and links for users.
import * as v from 'valibot';
import { json } from '#/host/lib/http.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { createLink, mailLink, readReturn, type Return } from '#/host/auth/auth-mails.ts';
import { metadata, readJson, text } from '#/host/auth/body.ts';
import type { Auth, Handler } from '#/host/auth/context.ts';
import { allowedRedirect } from '#/host/auth/redirects.ts';
import { emailExists, normalEmail } from '#/host/auth/emails.ts';
import { createEmailUser } from '#/host/auth/new-users.ts';
import { userJson } from '#/host/auth/user-json.ts';
import { findUserByEmail, reread, type Metadata, type User } from '#/host/auth/users.ts';

/** Returns the unconfirmed account of an email and creates it if there is none. */
async function unconfirmedUser(
  auth: Auth,
  email: string,
  data: Metadata,
  password: string | null,
): Promise<User> {
  const passwordHash = password === null ? null : await auth.passwords.hash(password);
  const { pool } = auth.database;
  const made = await createEmailUser(pool, { email, passwordHash, data, confirmed: false });
  const user = made ?? (await findUserByEmail(pool, email));
  if (!user || user.email_confirmed_at !== null) throw emailExists();
  return user;
}

/** POST /invite: creates an account without a password and mails its link. */
export const invite: Handler = async (auth, call) => {
  const body = await readJson(call.request, v.object({ email: text(), data: metadata }));
  const email = normalEmail(body.email);
  const user = await unconfirmedUser(auth, email, body.data ?? {}, null);
  await mailLink(auth, user, 'invite', readReturn(auth, call));
  return json(userJson(await reread(auth.database.pool, user)));
};

const linkBody = v.object({
  type: v.picklist([
    'signup',
    'invite',
    'magiclink',
    'recovery',
    'email_change_current',
    'email_change_new',
  ]),
  email: text(),
  new_email: text(),
  password: text(10_000),
  data: metadata,
  redirect_to: text(2000),
});
type LinkBody = v.InferOutput<typeof linkBody>;

async function linkFor(auth: Auth, body: LinkBody, back: Return) {
  const { pool } = auth.database;
  const email = normalEmail(body.email);
  const data = body.data ?? {};
  const existing = await findUserByEmail(pool, email);
  const known = () => {
    if (!existing) throw new AuthError(404, 'user_not_found', 'User with this email not found');
    return existing;
  };
  switch (body.type) {
    case 'signup': {
      if (body.password === '') throw invalid('Signup requires a valid password');
      auth.passwords.check(body.password);
      const user = await unconfirmedUser(auth, email, data, body.password);
      return { user, ...(await createLink(auth, user, 'confirmation', back, email)) };
    }
    case 'invite': {
      const user = await unconfirmedUser(auth, email, data, null);
      return { user, ...(await createLink(auth, user, 'invite', back, email)) };
    }
    case 'magiclink': {
      const user = existing ?? (await unconfirmedUser(auth, email, data, null));
      return { user, ...(await createLink(auth, user, 'magic_link', back, email)) };
    }
    case 'recovery': {
      const user = known();
      return { user, ...(await createLink(auth, user, 'recovery', back, email)) };
    }
    case 'email_change_current':
    case 'email_change_new': {
      const user = known();
      const next = normalEmail(body.new_email);
      if (await findUserByEmail(pool, next)) throw emailExists();
      await pool.query('update auth.users set email_change = $2 where id = $1', [user.id, next]);
      const current = body.type === 'email_change_current';
      const token = current ? 'email_change_token_current' : 'email_change_token_new';
      const to = current ? email : next;
      return { user, ...(await createLink(auth, user, 'email_change', back, to, token)) };
    }
  }
}

/** POST /admin/generate_link: returns a link instead of mailing it. */
export const generateLink: Handler = async (auth, call) => {
  const body = await readJson(call.request, linkBody);
  const requested = body.redirect_to || call.url.searchParams.get('redirect_to');
  const back = { ...readReturn(auth, call), redirectTo: allowedRedirect(auth, requested) };
  const { user, url, link, code } = await linkFor(auth, body, back);
  return json({
    ...userJson(await reread(auth.database.pool, user)),
    action_link: url,
    email_otp: code,
    hashed_token: link,
    verification_type: body.type,
    redirect_to: back.redirectTo,
  });
};
