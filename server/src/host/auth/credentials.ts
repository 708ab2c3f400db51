// Saves the identities of an account, and removes its credentials.
import { MAIL_JOB } from '#/host/auth/auth-mails.ts';
import type { Queryable } from '#/host/auth/context.ts';
import type { Metadata } from '#/host/auth/users.ts';

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

/**
 * Ends pending logins and email changes of an account, and deletes its known networks. Call it before other changes of the account:
 * opening a mailed link locks these rows before the account's row, so another order could deadlock.
 */
export async function endPending(db: Queryable, userId: string): Promise<void> {
  for (const table of ['one_time_tokens', 'flow_state', 'known_networks'])
    await db.query(`delete from auth.${table} where user_id = $1`, [userId]);
  // Queued mails are deleted too, because their links are created only when they are sent.
  await db.query('delete from private.jobs where user_id = $1 and type = $2', [userId, MAIL_JOB]);
  await db.query(
    "update auth.users set email_change = '', email_change_confirm_status = 0 where id = $1",
    [userId],
  );
}

/** Removes all credentials of an account except its password, and cancels pending logins. */
export async function removeCredentials(db: Queryable, userId: string): Promise<void> {
  await endPending(db, userId);
  for (const table of ['identities', 'sessions', 'mfa_factors', 'provider_tokens'])
    await db.query(`delete from auth.${table} where user_id = $1`, [userId]);
}
