-- A job that is asked for again keeps its last error until its next attempt: mails that are late stay late meanwhile.

-- jobs.sql
create or replace function private.add_job(
  p_kind text, p_key text default null, p_payload jsonb default '{}', p_user_id uuid default null, p_lifetime interval default '2 days',
  p_due_at timestamptz default now()
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.jobs as j (kind, key, payload, user_id, due_at, expires_at)
  values (p_kind, p_key, p_payload, p_user_id, p_due_at, p_due_at + p_lifetime)
  on conflict (kind, key) do update set
    payload = excluded.payload, user_id = excluded.user_id,
    -- What ends its runners again and again is not made harmless by being asked for once more; an operator retries it.
    failed_at = case when j.every is not null then j.failed_at end,
    -- One that waits after a failure has failed until its next attempt says otherwise: whether mails are late must not flap.
    error = case when j.every is not null or j.failed_at is null then j.error end,
    lost_leases = case when j.every is not null then j.lost_leases else 0 end,
    expires_at = case when j.every is null then excluded.expires_at end,
    again = j.lease is not null,
    due_at = case when j.lease is null then excluded.due_at else j.due_at end,
    attempts = case when j.lease is null then 0 else j.attempts end;
  perform pg_notify('jobs', p_kind);
end
$$;
