import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inTransaction } from '#/host/db/transaction.ts';
import type { Queryable } from '#/host/auth/context.ts';
import { saveEmailIdentity } from '#/host/auth/credentials.ts';
import { findUserById, type Metadata, type User } from '#/host/auth/users.ts';

interface NewUser {
  id?: string;
  email: string;
  passwordHash: string | null;
  userMetadata: Metadata;
  appMetadata?: Metadata;
  /** 'email', or the provider that verified the account. */
  provider: string;
  confirmed: boolean;
}

/** Creates an account without identities. Returns null if the email is taken. */
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

/** Creates an account with an email identity. Returns null if the email is taken. */
export const createEmailUser = (
  pool: pg.Pool,
  user: NewEmailUser,
  further: InTransaction = () => Promise.resolve(),
): Promise<User | null> => inTransaction(pool, (db) => insertEmailUser(db, user, further));

type NewEmailUser = Omit<NewUser, 'provider' | 'userMetadata'> & {
  data: Metadata | null | undefined;
  /** True if the email is verified. */
  verified?: boolean;
};

/** Additional work in the transaction that creates an account. */
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

/**
 * Runs `createEmailUser` and rolls it back, so that the response for a taken email takes the same time as for a new one.
 * @param user its email must be unused
 */
export async function dryRunCreateEmailUser(
  pool: pg.Pool,
  user: NewEmailUser,
  further: InTransaction,
): Promise<User | null> {
  let made = null as User | null;
  const undo = new Error('Undone on purpose');
  const work = inTransaction(pool, async (db) => {
    made = await insertEmailUser(db, user, further);
    throw undo;
  });
  await work.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return made;
}
