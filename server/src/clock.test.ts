// Tests that a wrong clock does no lasting harm. All stored timestamps are shifted, in both directions, as if the clock had been
// corrected. Afterwards nothing may wait or be rejected for longer than its usual interval.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientAt, startTestHost } from '../../testing/test-host.ts';

/** Tables whose timestamps control future actions. In all other tables, timestamps only record past events. */
const BOUNDED = [
  'private.jobs',
  'private.rate_limits',
  'private.receiver_quota_uses',
  'private.service_slots',
  'auth.sessions',
  'auth.one_time_tokens',
  'auth.flow_state',
  'auth.mfa_challenges',
  'auth.account_changes',
];
const subject = randomUUID();
const account = { email: 'clock@example.test', password: 'a long enough password' };

test.each([40, -40])('timestamps that were stored %d days from now delay nothing', async (days) => {
  const host = await startTestHost();
  const { sql } = host;
  const one = async <T>(text: string): Promise<T> =>
    Object.values((await host.database.pool.query<Record<string, T>>(text)).rows[0] ?? {})[0] as T;
  const client = clientAt(host.url, host.tokens.anonKey);
  const data = { full_name: 'Ann', age_confirmed: true };
  await client.auth.signUp({ ...account, options: { data } });
  const wrong = () => client.auth.signInWithPassword({ ...account, password: 'a wrong password' });
  for (let count = 0; count < 11; count++) await wrong();
  expect((await wrong()).error?.status).toBe(429);
  const attempts = () => one<number>(`select private.count_attempt('${subject}', 'x', '1 hour')`);
  const slot = () => one<number>(`select public.claim_service_slot('weather', 1, 5)`);
  for (let count = 0; count < 3; count++) await Promise.all([attempts(), slot()]);
  await host.database.pool.query(`
    select private.schedule_job('comes-again', '1 day'), private.record_job('comes-again', '1 day'), private.add_job('leased'),
      private.add_job('later', p_due_at => now() + interval '1 hour'), private.add_job('fails')`);
  await host.database.pool.query(
    `select private.claim_jobs('leased'), private.claim_jobs('fails')`,
  );
  await host.database.pool.query(
    `select private.finish_job(id, lease, 'It failed') from private.jobs where type = 'fails'`,
  );

  const columns = await host.database.pool.query<{ name: string; shifts: string }>(
    `select attrelid::regclass::text as name, string_agg(format('%1$I = %1$I + make_interval(days => ${days})', attname), ', ') as shifts
     from pg_attribute where attrelid = any ($1::regclass[]) and atttypid = 'timestamptz'::regtype and not attisdropped group by 1`,
    [BOUNDED],
  );
  expect(columns.rows).toHaveLength(BOUNDED.length);
  for (const { name, shifts } of columns.rows)
    await host.database.pool.query(`update ${name} set ${shifts}`);
  await host.database.pool.query(
    `update auth.rate_limits set expire = expire + ${days * 86_400_000}`,
  );

  await sql`select private.bound_stored_times()`;
  await host.jobs.request('sweep-auth');
  await expect
    .poll(() =>
      one<boolean>(`select done_at between now() - interval '1 minute' and now() and lease is null
      from private.jobs where type = 'sweep-auth'`),
    )
    .toBe(true);
  const late = await host.database.pool.query(
    `select type, due_at from private.jobs where due_at > now() + coalesce(every, interval '1 hour 1 minute')`,
  );
  expect(late.rows).toEqual([]);
  expect(
    await one(
      `select due_at <= now() + interval '15 minutes' from private.jobs where type = 'fails'`,
    ),
  ).toBe(true);
  expect(
    await one(
      `select due_at <= now() + interval '5 minutes' from private.jobs where type = 'leased'`,
    ),
  ).toBe(true);
  expect(await attempts()).toBe(1);
  expect(await slot()).toBeLessThanOrEqual(1000);
  expect(await one('select count(*)::integer from auth.one_time_tokens')).toBe(0);
  expect(await one('select count(*)::integer from auth.sessions where created_at > now()')).toBe(0);
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await client.auth.signInWithPassword(account)).error).toBeNull();
});
