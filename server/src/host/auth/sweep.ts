// Deletes what has expired: counters, flows, codes, challenges and sessions.
import { HOURS_TO_TAKE_BACK } from '#/host/auth/account-changes.ts';
import type { Auth } from '#/host/auth/context.ts';

/** Deletes rows that have no effect any longer; safe to run in several processes at once. */
export async function sweep(auth: Auth): Promise<void> {
  const { SESSION_MAX_HOURS = null, SESSION_IDLE_HOURS = null } = auth.settings;
  const { pool } = auth.database;
  await auth.attemptCounter.sweep();
  await pool.query(`delete from auth.flow_state where created_at < now() - interval '1 day'`);
  await pool.query(`delete from auth.one_time_tokens where created_at < now() - interval '2 days'`);
  await pool.query(
    'delete from auth.account_changes where made_at < now() - make_interval(hours => $1)',
    [HOURS_TO_TAKE_BACK],
  );
  await pool.query(`delete from auth.mfa_challenges where created_at < now() - interval '1 day'`);
  await pool.query(
    `delete from auth.sessions where created_at < now() - make_interval(hours => $1)
       or coalesce(refreshed_at, created_at) < now() - make_interval(hours => $2)`,
    [SESSION_MAX_HOURS, SESSION_IDLE_HOURS],
  );
}
