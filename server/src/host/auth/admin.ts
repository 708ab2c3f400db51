// /admin/users: reads and changes accounts with the service key.
import * as v from 'valibot';
import { inTransaction } from '#/host/db/transaction.ts';
import { json } from '#/host/lib/http.ts';
import { isUuid } from '#/host/lib/uuid.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import { requireAdmin } from '#/host/auth/authenticate.ts';
import { metadata, readJson, text } from '#/host/auth/body.ts';
import type { Auth, Call, Handler } from '#/host/auth/context.ts';
import { revokeProviderTokens } from '#/host/auth/external-accounts.ts';
import { removeFactor } from '#/host/auth/factors.ts';
import { emailExists, normalEmail } from '#/host/auth/emails.ts';
import { endPending, removeCredentials, saveEmailIdentity } from '#/host/auth/credentials.ts';
import { createEmailUser } from '#/host/auth/new-users.ts';
import { endSessions } from '#/host/auth/sessions.ts';
import { factorJson, userJson } from '#/host/auth/user-json.ts';
import {
  findUserByEmail,
  findUserById,
  listUsers,
  removedKeys,
  reread,
  type User,
} from '#/host/auth/users.ts';

/** Wraps a handler so that it requires the service key. */
export const asAdmin =
  (handler: Handler): Handler =>
  async (auth, call) => {
    await requireAdmin(auth, call);
    return handler(auth, call);
  };

async function findUser(auth: Auth, call: Call): Promise<User> {
  const id = call.params.id;
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID');
  const user = await findUserById(auth.database.pool, id);
  if (!user) throw new AuthError(404, 'user_not_found', 'User not found');
  return user;
}

const UNIT_SECONDS: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Parses the duration of a ban, in Go's syntax such as `24h` or `1h30m`, into seconds. 'none' is 0; an empty duration is null. */
function banSeconds(duration: string): number | null {
  if (duration === '') return null;
  if (duration === 'none') return 0;
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(duration) || duration.length > 30)
    throw invalid(`invalid format for ban duration: ${duration.slice(0, 30)}`);
  let seconds = 0;
  for (const [, amount, unit = ''] of duration.matchAll(/([\d.]+)(h|ms|m|s)/g))
    seconds += Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  // The maximum is a thousand years, which fits into a timestamp.
  return Math.min(seconds, 31_557_600_000);
}

const PAGE = 50;
const LARGEST_PAGE = 1000;

/** GET /admin/users: a page of accounts. The header `x-total-count` contains the total. */
export const adminList: Handler = async (auth, call) => {
  const number = (name: string, otherwise: number) => {
    const given = call.url.searchParams.get(name) ?? '';
    if (given === '') return otherwise;
    if (!/^[1-9]\d{0,8}$/.test(given)) throw invalid('Bad Pagination Parameters');
    return Number(given);
  };
  const page = number('page', 1);
  const size = Math.min(number('per_page', PAGE), LARGEST_PAGE);
  const { users, total } = await listUsers(auth.database.pool, size, (page - 1) * size);
  const last = Math.max(1, Math.ceil(total / size));
  const link = (to: number, rel: string) =>
    `</admin/users?page=${to}&per_page=${size}>; rel="${rel}"`;
  const links = [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')];
  return json({ users: users.map(userJson), aud: 'authenticated' }, 200, {
    'x-total-count': String(total),
    link: links.join(', '),
  });
};

const userBody = v.object({
  id: text(),
  email: text(),
  phone: text(),
  role: text(),
  password: v.nullish(v.string()),
  password_hash: text(),
  email_confirm: v.nullish(v.boolean(), false),
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text(100),
});
type UserBody = v.InferOutput<typeof userBody>;

/** Returns the password hash for a request body, and rejects unsupported options. */
async function hashOf(
  auth: Auth,
  { password, password_hash, phone, role }: UserBody,
): Promise<string | null> {
  if (phone !== '')
    throw new AuthError(422, 'phone_provider_disabled', 'Accounts have no phone here');
  if (role !== '' && role !== 'authenticated')
    throw new AuthError(422, 'validation_failed', 'Accounts have the role authenticated here');
  if (password && password_hash !== '')
    throw invalid('Only a password or a password hash should be provided');
  if (password_hash !== '') {
    if (!/^\$(2[aby]|argon2id)\$/.test(password_hash)) throw invalid('Unsupported password hash');
    return password_hash;
  }
  if (!password) return null;
  auth.passwords.check(password);
  return auth.passwords.hash(password);
}

export const adminCreate: Handler = async (auth, call) => {
  const body = await readJson(call.request, userBody);
  if (body.email === '') throw invalid('Cannot create a user without an email');
  if (body.id !== '' && !isUuid(body.id)) throw invalid('ID must conform to the uuid v4 format');
  const email = normalEmail(body.email);
  const seconds = banSeconds(body.ban_duration);
  const passwordHash = await hashOf(auth, body);
  const { pool } = auth.database;
  const made = await createEmailUser(pool, {
    ...(body.id === '' ? {} : { id: body.id }),
    email,
    passwordHash,
    data: body.user_metadata,
    appMetadata: body.app_metadata ?? {},
    confirmed: body.email_confirm,
    verified: body.email_confirm,
  });
  if (!made) throw emailExists();
  if (seconds)
    await pool.query(
      'update auth.users set banned_until = now() + make_interval(secs => $2) where id = $1',
      [made.id, seconds],
    );
  return json(userJson(await reread(pool, made)));
};

export const adminGet: Handler = async (auth, call) => json(userJson(await findUser(auth, call)));

export const adminUpdate: Handler = async (auth, call) => {
  const user = await findUser(auth, call);
  const body = await readJson(call.request, userBody);
  const email = body.email === '' ? null : normalEmail(body.email);
  const seconds = banSeconds(body.ban_duration);
  const passwordHash = await hashOf(auth, body);
  const { pool } = auth.database;
  if (email !== null && email !== user.email && (await findUserByEmail(pool, email)))
    throw emailExists();
  const userData = body.user_metadata ?? {};
  const appData = body.app_metadata ?? {};
  await inTransaction(pool, async (db) => {
    if (passwordHash !== null) await endPending(db, user.id);
    await db.query(
      `update auth.users set updated_at = now(),
         email = coalesce($2, email),
         encrypted_password = coalesce($3, encrypted_password),
         email_confirmed_at = case when $4 then coalesce(email_confirmed_at, now()) else email_confirmed_at end,
         raw_user_meta_data = (raw_user_meta_data || $5) - $6::text[],
         raw_app_meta_data = (raw_app_meta_data || $7) - $8::text[],
         banned_until = case when $9::float8 is null then banned_until when $9 = 0 then null
           else now() + make_interval(secs => $9) end
       where id = $1`,
      [
        user.id,
        email,
        passwordHash,
        body.email_confirm,
        userData,
        removedKeys(userData),
        appData,
        removedKeys(appData),
        seconds,
      ],
    );
    if (email !== null) await saveEmailIdentity(db, user.id, email, body.email_confirm);
    if (passwordHash !== null) await endSessions(db, user.id, 'global', null);
  });
  return json(userJson(await reread(pool, user)));
};

const deleteBody = v.object({ should_soft_delete: v.nullish(v.boolean(), false) });

export const adminDelete: Handler = async (auth, call) => {
  const user = await findUser(auth, call);
  const { should_soft_delete } = await readJson(call.request, deleteBody);
  await revokeProviderTokens(auth, user.id);
  await inTransaction(auth.database.pool, async (db) => {
    if (!should_soft_delete) {
      await db.query('delete from auth.users where id = $1', [user.id]);
      return;
    }
    // Clears all columns of the account's row except its ID, because other rows reference it.
    await removeCredentials(db, user.id);
    await db.query(
      `update auth.users set deleted_at = now(), updated_at = now(), email = null, phone = null, encrypted_password = null,
         raw_user_meta_data = '{}', raw_app_meta_data = '{}' where id = $1`,
      [user.id],
    );
  });
  return json({});
};

export const adminFactors: Handler = async (auth, call) => {
  const user = await findUser(auth, call);
  return json(user.factors.map(factorJson));
};

export const adminRemoveFactor: Handler = async (auth, call) => {
  const user = await findUser(auth, call);
  const factor = user.factors.find(({ id }) => id === call.params.factor);
  if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
  await inTransaction(auth.database.pool, (db) => removeFactor(db, factor.id));
  return json(factorJson(factor));
};
