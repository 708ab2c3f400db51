// Deletes expired counters, flows, codes, challenges and sessions.
import { REVERT_HOURS } from '#/host/auth/account-changes.ts';
import type { Auth } from '#/host/auth/context.ts';

/**
 * Corrects timestamps that were stored while a host's clock was ahead, so that nothing stays valid or rejected for longer than its
 * usual duration.
 */
async function correctClock(pool: Pick<Auth['database']['pool'], 'query'>): Promise<void> {
  const isAhead = (column: string) => `${column} > now() + interval '1 minute'`;
  for (const table of ['flow_state', 'one_time_tokens', 'mfa_challenges'])
    await pool.query(`delete from auth.${table} where ${isAhead('created_at')}`);
  await pool.query(
    `update auth.account_changes set created_at = now() where ${isAhead('created_at')}`,
  );
  await pool.query(
    `update auth.sessions set created_at = least(created_at, now()), refreshed_at = least(refreshed_at, now())
     where ${isAhead('created_at')} or ${isAhead('refreshed_at')}`,
  );
  // A TOTP code is accepted only if its 30-second step is later than the last accepted one. A last step in the future is removed,
  // because it would block all codes until that time.
  await pool.query(
    'update auth.mfa_factors set last_step = null where last_step > extract(epoch from now()) / 30 + 2',
  );
}

/** Deletes expired rows. Several processes may call it at the same time. */
export async function sweep(auth: Auth): Promise<void> {
  const { SESSION_MAX_HOURS = null, SESSION_IDLE_HOURS = null } = auth.settings;
  const { pool } = auth.database;
  await correctClock(pool);
  await auth.attemptCounter.sweep();
  await pool.query(`delete from auth.flow_state where created_at < now() - interval '1 day'`);
  await pool.query(`delete from auth.one_time_tokens where created_at < now() - interval '2 days'`);
  await pool.query(`delete from auth.known_networks where used_at < now() - interval '180 days'`);
  await pool.query(
    'delete from auth.account_changes where created_at < now() - make_interval(hours => $1)',
    [REVERT_HOURS],
  );
  await pool.query(`delete from auth.mfa_challenges where created_at < now() - interval '1 day'`);
  await pool.query(
    `delete from auth.sessions where created_at < now() - make_interval(hours => $1)
       or coalesce(refreshed_at, created_at) < now() - make_interval(hours => $2)`,
    [SESSION_MAX_HOURS, SESSION_IDLE_HOURS],
  );
}
