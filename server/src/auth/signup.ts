// POST /signup: a new account from an email and a password.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { inTransaction } from '#/db/transaction.ts';
import { json } from '#/lib/http.ts';
import { AuthError } from './auth-error.ts';
import { metadata, readJson, security, text } from './body.ts';
import type { Handler } from './context.ts';
import { countAttempt, perAddress } from './limits.ts';
import { startSession } from './sessions.ts';
import {
  findUserById,
  insertUser,
  normalEmail,
  saveEmailIdentity,
  userJson,
  type Metadata,
} from './users.ts';

const signupBody = v.object({
  email: text(),
  phone: text(),
  password: text(10_000),
  data: metadata,
  gotrue_meta_security: security,
});

/** What GoTrue answers for a taken email, so that a stranger cannot tell: a user that was never made, without identities. */
function pretendedUser(email: string, data: Metadata): Record<string, unknown> {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

export const signup: Handler = async (auth, call) => {
  const body = await readJson(call.request, signupBody);
  if (!auth.settings.AUTH_SIGNUP)
    throw new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');
  if (body.phone !== '')
    throw new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
  if (body.email === '')
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  if (body.password === '')
    throw new AuthError(400, 'validation_failed', 'Signup requires a valid password');
  const email = normalEmail(body.email);
  auth.passwords.check(body.password);
  await countAttempt(auth, [perAddress(auth, call, 'signup')]);
  // Hashed before anybody looks whether the email is taken: both take the same time.
  const passwordHash = await auth.passwords.hash(body.password);

  const answer = await inTransaction(auth.database.pool, async (db) => {
    const id = randomUUID();
    const user = await insertUser(db, {
      id,
      email,
      passwordHash,
      userMetadata: { ...body.data, sub: id, email, email_verified: false, phone_verified: false },
      provider: 'email',
      confirmed: !auth.confirmEmail,
    });
    if (!user) return null;
    await saveEmailIdentity(db, user.id, email, false);
    if (!auth.confirmEmail) return startSession(auth, db, user, 'password');
    const made = await findUserById(db, user.id);
    return userJson(made ?? user);
  });
  if (answer) return json(answer);
  if (auth.confirmEmail) return json(pretendedUser(email, body.data ?? {}));
  throw new AuthError(422, 'user_already_exists', 'User already registered');
};
