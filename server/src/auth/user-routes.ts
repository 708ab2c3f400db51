// GET and PUT /user: the caller's own account.
import * as v from 'valibot';
import { inTransaction } from '#/db/transaction.ts';
import { json } from '#/lib/http.ts';
import { AuthError } from './auth-error.ts';
import { requireUser } from './authenticate.ts';
import { metadata, readJson } from './body.ts';
import type { Handler } from './context.ts';
import { endSessions } from './sessions.ts';
import { findUserById, hasFactor, userJson, type Metadata } from './users.ts';

export const getUser: Handler = async (auth, call) => {
  const { user } = await requireUser(auth, call);
  return json(userJson(user));
};

const updateBody = v.object({
  password: v.nullish(v.string()),
  data: metadata,
});

// As with GoTrue, null removes a member.
const removedKeys = (data: Metadata) => Object.keys(data).filter((key) => data[key] === null);

export const updateUser: Handler = async (auth, call) => {
  const { user, session } = await requireUser(auth, call);
  const { password, data } = await readJson(call.request, updateBody);

  let passwordHash: string | null = null;
  if (typeof password === 'string') {
    auth.passwords.check(password);
    if (hasFactor(user) && session?.aal !== 'aal2')
      throw new AuthError(
        401,
        'insufficient_aal',
        'AAL2 session is required to update email or password when MFA is enabled.',
      );
    const { right } = await auth.passwords.verify(password, user.encrypted_password);
    if (right)
      throw new AuthError(
        422,
        'same_password',
        'New password should be different from the old password.',
      );
    passwordHash = await auth.passwords.hash(password);
  }

  const updated = await inTransaction(auth.database.pool, async (db) => {
    await db.query(
      `update auth.users set updated_at = now(),
         encrypted_password = coalesce($2, encrypted_password),
         raw_user_meta_data = (raw_user_meta_data || $3) - $4::text[] where id = $1`,
      [user.id, passwordHash, data ?? {}, removedKeys(data ?? {})],
    );
    // Whoever knew the old password is out; this session stays.
    if (passwordHash !== null) await endSessions(db, user.id, 'others', session?.id ?? null);
    return findUserById(db, user.id);
  });
  return json(userJson(updated ?? user));
};
