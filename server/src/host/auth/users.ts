// Accounts: reading and making rows of auth.users and auth.identities, and GoTrue's JSON of them.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inTransaction } from '#/host/db/transaction.ts';
import { AuthError, invalid } from '#/host/auth/auth-error.ts';
import type { Auth, Queryable } from '#/host/auth/context.ts';

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

/** A row of auth.users with its identities and factors. */
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
  email_change_confirm_status: number;
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

/** The account as it is by now; as it was where it has gone meanwhile. */
export const reread = async (db: Queryable, user: User): Promise<User> =>
  (await findUserById(db, user.id)) ?? user;

/** The account of an email that `normalEmail` has checked. */
export async function findUserByEmail(db: Queryable, email: string): Promise<User | null> {
  const { rows } = await db.query<User>(`${SELECT} where lower(u.email) = $1`, [email]);
  return rows[0] ?? null;
}

/** One page of accounts, newest first, and how many there are. */
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

/** How an email is stored and looked for. */
export const foldEmail = (input: string): string => input.trim().toLowerCase();

/** Lower-cases and checks an email. Throws AuthError 400 validation_failed. */
export function normalEmail(input: string): string {
  const email = foldEmail(input);
  if (
    email.length > 254 ||
    !/^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+\.[^\s@.]{2,}$/u.test(email)
  )
    throw invalid('Unable to validate email address: invalid format');
  return email;
}

/** Lets only the emails pass that AUTH_EMAILS_ALLOWED names. Throws AuthError 400 email_address_not_authorized. */
export function checkAllowed(auth: Auth, email: string): void {
  const allowed = auth.settings.AUTH_EMAILS_ALLOWED;
  const domain = email.slice(email.lastIndexOf('@'));
  if (allowed?.every((entry) => ![email, domain].includes(entry.toLowerCase())))
    throw new AuthError(
      400,
      'email_address_not_authorized',
      `Email address "${email}" cannot be used as it is not authorized`,
    );
}

export const emailExists = () =>
  new AuthError(422, 'email_exists', 'A user with this email address has already been registered');

interface NewUser {
  id?: string;
  email: string;
  passwordHash: string | null;
  userMetadata: Metadata;
  appMetadata?: Metadata;
  /** 'email', or the provider that vouches for the account. */
  provider: string;
  confirmed: boolean;
}

/** Makes an account without identities; null when the email is taken. */
export async function insertUser(db: Queryable, user: NewUser): Promise<User | null> {
  const { rows } = await db.query<{ id: string }>(
    `insert into auth.users (id, email, encrypted_password, raw_user_meta_data, raw_app_meta_data, email_confirmed_at)
     values ($1, $2, $3, $4, $5, case when $6 then now() end)
     on conflict do nothing returning id`,
    [
      user.id ?? randomUUID(),
      user.email,
      user.passwordHash,
      user.userMetadata,
      { provider: user.provider, providers: [user.provider], ...user.appMetadata },
      user.confirmed,
    ],
  );
  return rows[0] ? findUserById(db, rows[0].id) : null;
}

/** Makes the account's identity of a provider, or brings its data up to date. */
export async function saveIdentity(
  db: Queryable,
  userId: string,
  provider: string,
  providerId: string,
  data: Metadata,
): Promise<void> {
  await db.query(
    `insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
     values ($1, $2, $3, $4, now())
     on conflict (provider_id, provider) do update set
       identity_data = identities.identity_data || excluded.identity_data,
       last_sign_in_at = now(), updated_at = now()`,
    [userId, provider, providerId, data],
  );
  await db.query(
    `update auth.users set updated_at = now(), raw_app_meta_data = raw_app_meta_data || jsonb_build_object('providers',
       (select jsonb_agg(provider order by first) from
         (select provider, min(created_at) as first from auth.identities where user_id = $1 group by provider) p))
     where id = $1`,
    [userId],
  );
}

/** Makes or updates the account's own email identity. */
export const saveEmailIdentity = (
  db: Queryable,
  userId: string,
  email: string,
  verified: boolean,
): Promise<void> =>
  saveIdentity(db, userId, 'email', userId, {
    sub: userId,
    email,
    email_verified: verified,
    phone_verified: false,
  });

/** Makes an account with an email identity; null when the email is taken. */
export const createEmailUser = (
  pool: pg.Pool,
  user: NewEmailUser,
  further: InTransaction = () => Promise.resolve(),
): Promise<User | null> => inTransaction(pool, (db) => insertEmailUser(db, user, further));

type NewEmailUser = Omit<NewUser, 'provider' | 'userMetadata'> & {
  data: Metadata | null | undefined;
  /** Whether somebody vouches that the email is theirs. */
  verified?: boolean;
};

/** What else belongs into the transaction that makes an account. */
type InTransaction = (db: Queryable, made: User) => Promise<void>;

async function insertEmailUser(
  db: Queryable,
  user: NewEmailUser,
  further: InTransaction,
): Promise<User | null> {
  const { email, data, id = randomUUID(), verified = false } = user;
  const identity = { sub: id, email, email_verified: verified, phone_verified: false };
  const userMetadata = { ...data, ...identity };
  if (!(await insertUser(db, { ...user, id, userMetadata, provider: 'email' }))) return null;
  await saveEmailIdentity(db, id, email, verified);
  const made = await findUserById(db, id);
  if (made) await further(db, made);
  return made;
}

class Undone extends Error {
  readonly user: User | null;
  constructor(user: User | null) {
    super('Undone on purpose');
    this.user = user;
  }
}

/**
 * Does all that `createEmailUser` does and undoes it: for an email that is taken, whose answer must cost the same work.
 * @param user with an email that nobody has
 */
export async function rehearseEmailUser(
  pool: pg.Pool,
  user: NewEmailUser,
  further: InTransaction,
): Promise<User | null> {
  try {
    return await inTransaction(pool, async (db) => {
      throw new Undone(await insertEmailUser(db, user, further));
    });
  } catch (error) {
    if (error instanceof Undone) return error.user;
    throw error;
  }
}

/** Removes all that opens an account but its password, and what is under way to open it. */
export async function removeCredentials(db: Queryable, userId: string): Promise<void> {
  for (const table of [
    'identities',
    'sessions',
    'mfa_factors',
    'one_time_tokens',
    'flow_state',
    'provider_tokens',
  ])
    await db.query(`delete from auth.${table} where user_id = $1`, [userId]);
}

export const hasFactor = (user: User) => user.factors.some(({ status }) => status === 'verified');

export const isBanned = (user: User) =>
  user.banned_until !== null && Number(user.banned_until) > Date.now();

function time(value: Date | number | string | null): string | undefined {
  if (value === null) return undefined;
  // PostgreSQL's infinity, for a ban without end, arrives as a number.
  return value === Infinity ? '9999-12-31T23:59:59.000Z' : new Date(value).toISOString();
}

/** GoTrue's JSON of an account; what is empty is left out as GoTrue does. */
export const userJson = (user: User): Record<string, unknown> => ({
  id: user.id,
  aud: user.aud,
  role: user.role,
  email: user.email ?? '',
  email_confirmed_at: time(user.email_confirmed_at),
  invited_at: time(user.invited_at),
  phone: user.phone ?? '',
  phone_confirmed_at: time(user.phone_confirmed_at),
  confirmation_sent_at: time(user.confirmation_sent_at),
  confirmed_at: time(user.confirmed_at),
  recovery_sent_at: time(user.recovery_sent_at),
  new_email: user.email_change === '' ? undefined : (user.email_change ?? undefined),
  email_change_sent_at: time(user.email_change_sent_at),
  reauthentication_sent_at: time(user.reauthentication_sent_at),
  last_sign_in_at: time(user.last_sign_in_at),
  app_metadata: user.raw_app_meta_data,
  user_metadata: user.raw_user_meta_data,
  identities: user.identities.map((identity) => ({
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: time(identity.last_sign_in_at),
    created_at: time(identity.created_at),
    updated_at: time(identity.updated_at),
    email: identity.email ?? undefined,
  })),
  factors: user.factors.length === 0 ? undefined : user.factors.map(factorJson),
  banned_until: time(user.banned_until),
  created_at: time(user.created_at),
  updated_at: time(user.updated_at),
  deleted_at: time(user.deleted_at),
  is_anonymous: user.is_anonymous,
});

/** GoTrue's JSON of a second factor, without its secret. */
export function factorJson(factor: Factor): Record<string, unknown> {
  return {
    id: factor.id,
    created_at: time(factor.created_at),
    updated_at: time(factor.updated_at),
    status: factor.status,
    friendly_name: factor.friendly_name ?? undefined,
    factor_type: factor.factor_type,
    phone: factor.phone ?? undefined,
  };
}
