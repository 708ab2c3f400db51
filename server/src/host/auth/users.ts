// Rows of auth.users with their identities and factors, and the queries that find them.
import type { Queryable } from '#/host/auth/context.ts';

export type Metadata = Record<string, unknown>;

interface Identity {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Metadata;
  provider: string;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
  email: string | null;
}

export interface Factor {
  id: string;
  friendly_name: string | null;
  factor_type: 'totp' | 'phone';
  status: 'unverified' | 'verified';
  phone: string | null;
  created_at: string;
  updated_at: string;
}

export interface User {
  id: string;
  aud: string;
  role: string;
  email: string | null;
  phone: string | null;
  encrypted_password: string | null;
  raw_app_meta_data: Metadata;
  raw_user_meta_data: Metadata;
  email_change: string | null;
  is_anonymous: boolean;
  created_at: Date;
  updated_at: Date;
  email_confirmed_at: Date | null;
  phone_confirmed_at: Date | null;
  confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  email_change_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  banned_until: Date | number | null;
  deleted_at: Date | null;
  identities: Identity[];
  factors: Factor[];
}

const SELECT = `select u.*,
  coalesce((select jsonb_agg(to_jsonb(i) order by i.created_at, i.id) from auth.identities i where i.user_id = u.id), '[]') as identities,
  coalesce((select jsonb_agg(to_jsonb(f) - 'secret' order by f.created_at, f.id) from auth.mfa_factors f where f.user_id = u.id), '[]') as factors
  from auth.users u`;

export async function findUserById(db: Queryable, id: string): Promise<User | null> {
  const { rows } = await db.query<User>(`${SELECT} where u.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Reads the account again. Returns the given account if it has been deleted in the meantime. */
export const reread = async (db: Queryable, user: User): Promise<User> =>
  (await findUserById(db, user.id)) ?? user;

/** @param email as returned by `normalEmail` */
export async function findUserByEmail(db: Queryable, email: string): Promise<User | null> {
  const { rows } = await db.query<User>(`${SELECT} where lower(u.email collate "C") = $1`, [email]);
  return rows[0] ?? null;
}

/** Returns a page of accounts, newest first, and their total number. */
export async function listUsers(
  db: Queryable,
  limit: number,
  offset: number,
): Promise<{ users: User[]; total: number }> {
  const { rows } = await db.query<User>(
    `${SELECT} order by u.created_at desc, u.id limit $1 offset $2`,
    [limit, offset],
  );
  const count = await db.query<{ total: number }>('select count(*)::int as total from auth.users');
  return { users: rows, total: count.rows[0]?.total ?? 0 };
}

/** Returns the keys that a metadata update removes. As in GoTrue, these are the keys with the value null. */
export const removedKeys = (data: Metadata) =>
  Object.keys(data).filter((key) => data[key] === null);

export const hasFactor = (user: User) => user.factors.some(({ status }) => status === 'verified');

export const isBanned = (user: User) =>
  user.banned_until !== null && Number(user.banned_until) > Date.now();
