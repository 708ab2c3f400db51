-- The job queue: work that runs later, repeatedly, or on any free host. Hosts run the jobs; on Supabase, functions that cron calls
-- do.

create table private.jobs (
  id bigint generated always as identity primary key,
  type text not null check (type ~ '^[a-z][a-z-]*$'),
  key text,
  payload jsonb not null default '{}',
  user_id uuid references auth.users (id) on delete cascade,
  every interval,
  due_at timestamptz not null default now(),
  expires_at timestamptz,
  attempts integer not null default 0,
  lost_leases integer not null default 0,
  lease uuid,
  again boolean not null default false,
  error text,
  failed_at timestamptz,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  unique (type, key)
);
comment on table private.jobs is
  'A row is deleted when its job is done, unless it repeats (every). A row with failed_at is a dead letter, repeating jobs included: an '
  'operator retries or drops it.';
comment on column private.jobs.key is 'A new job replaces an existing one of the same type and key.';
comment on column private.jobs.user_id is 'The user whom the job concerns. The job is deleted with the account.';
comment on column private.jobs.due_at is 'When the job may be claimed; for a leased job, when the lease expires.';
comment on column private.jobs.expires_at is 'When the job becomes useless. Until then, it is retried after failures.';
comment on column private.jobs.lost_leases is 'How often a process that ran the job ended without reporting a result.';
comment on column private.jobs.again is 'True if the job was requested again while it was running.';
comment on column private.jobs.error is 'Why the last attempt failed; without personal data.';
alter table private.jobs enable row level security;

create index jobs_due on private.jobs (type, due_at) where failed_at is null;
create index on private.jobs (user_id);

create function private.add_job(
  p_type text, p_key text default null, p_payload jsonb default '{}', p_user_id uuid default null, p_lifetime interval default '2 days',
  p_due_at timestamptz default now(), p_joins boolean default false
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.jobs as j (type, key, payload, user_id, due_at, expires_at)
  values (p_type, p_key, p_payload, p_user_id, p_due_at, p_due_at + p_lifetime)
  on conflict (type, key) do update set
    payload = case when p_joins and j.failed_at is null then j.payload else excluded.payload end, user_id = excluded.user_id,
    -- A job that crashed its runners repeatedly is not run when it is requested again. An operator must retry it.
    failed_at = case when j.every is not null then j.failed_at end,
    -- A failed job keeps its error until the next attempt, so that the reported status of mails does not alternate.
    error = case when j.every is not null or j.failed_at is null then j.error end,
    lost_leases = case when j.every is not null then j.lost_leases else 0 end,
    expires_at = case when j.every is null then excluded.expires_at end,
    again = j.lease is not null,
    due_at = case when j.lease is not null then j.due_at
      when p_joins and j.failed_at is null then least(j.due_at, excluded.due_at) else excluded.due_at end,
    attempts = case when j.lease is null then 0 else j.attempts end;
  perform pg_notify('jobs', p_type);
end
$$;
comment on function private.add_job is
  'Adds a job in the caller''s transaction; its lifetime starts when it is due. A repeating job (every) is requested immediately with '
  'its type and the key ''''. With p_joins a job that is already waiting or running keeps its payload and due time.';

create function private.schedule_job(p_type text, p_every interval) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.jobs as j (type, key, every) values (p_type, '', p_every)
  on conflict (type, key) do update set every = excluded.every where j.every is distinct from excluded.every
$$;
comment on function private.schedule_job is 'Makes a job recurring. Several hosts may call it. A new job is due immediately.';

create function private.record_job(p_type text, p_every interval) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.jobs as j (type, key, every, done_at, due_at) values (p_type, '', p_every, now(), now() + p_every)
  on conflict (type, key) do update set done_at = now(), due_at = now() + coalesce(j.every, p_every), error = null, attempts = 0
$$;
comment on function private.record_job is 'Records that an operator ran a recurring job manually. The job is next due after its interval.';

create function private.claim_jobs(p_type text, p_limit integer default 1, p_lease_seconds integer default 60)
returns table (id bigint, lease uuid, payload jsonb, attempts integer)
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A job that has expired, or that crashed its runner three times, is not retried.
  update private.jobs j set failed_at = now(), lease = null,
    error = case when o.poison then 'Its runner ended three times without an answer' else coalesce(j.error, 'Nobody ran it in time') end
  from (
    select d.id, d.lease is not null and d.lost_leases >= 2 as poison from private.jobs d
    where d.type = p_type and d.failed_at is null and d.due_at <= now()
      and ((d.every is null and d.expires_at <= now()) or (d.lease is not null and d.lost_leases >= 2))
    for update skip locked
  ) o where j.id = o.id;
  return query
    with due as (
      select d.id from private.jobs d where d.type = p_type and d.failed_at is null and d.due_at <= now()
      order by d.due_at, d.id limit p_limit for update skip locked
    )
    update private.jobs j set attempts = j.attempts + 1, lost_leases = j.lost_leases + (j.lease is not null)::integer,
      lease = gen_random_uuid(), due_at = now() + make_interval(secs => p_lease_seconds), again = false
    from due where j.id = due.id
    returning j.id, j.lease, j.payload, j.attempts;
end
$$;
comment on function private.claim_jobs is
  'Leases due jobs of a type to one runner. The runner must report the results (finish_job) or extend the lease before it expires.';

create function private.extend_job(p_id bigint, p_lease uuid, p_lease_seconds integer default 60) returns boolean
language sql volatile security definer set search_path = '' as $$
  with extended as (
    update private.jobs j set due_at = now() + make_interval(secs => p_lease_seconds)
    where j.id = p_id and j.lease = p_lease returning 1
  ) select exists (select from extended)
$$;

create function private.finish_job(
  p_id bigint, p_lease uuid, p_error text default null, p_retry_seconds integer default null, p_final boolean default false
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_error is null then
    delete from private.jobs j where j.id = p_id and j.lease = p_lease and j.every is null and not j.again;
    update private.jobs j set lease = null, attempts = 0, lost_leases = 0, again = false, error = null, done_at = now(),
      due_at = case when j.again then now() else now() + j.every end
    where j.id = p_id and j.lease = p_lease;
    return;
  end if;
  -- If the job was requested again while it ran, its next run starts without failed attempts.
  update private.jobs j set lease = null, lost_leases = 0, again = false, error = p_error,
    attempts = case when j.again then 0 else j.attempts end,
    due_at = case when j.again then now()
      else now() + make_interval(secs => coalesce(p_retry_seconds, least(15 * 2 ^ least(j.attempts - 1, 10), 900)::integer)) end,
    failed_at = case when p_final and not j.again and j.every is null then now() end
  where j.id = p_id and j.lease = p_lease;
end
$$;
comment on function private.finish_job is
  'Marks a leased job as done, or as failed with an error. A failed job is retried after a delay that doubles from 15 seconds to 15 '
  'minutes; with p_final it becomes a dead letter immediately. Does nothing if the lease was lost.';

create function private.mail_is_late() returns boolean
language sql stable security definer set search_path = '' as $$
  -- The job types are those of auth-mails.ts, and the error is SERVER_UNUSABLE of mailer.ts. Jobs for email addresses without an
  -- account also count, so the result reveals nothing about accounts.
  select exists (
    select from private.jobs j
    where j.type in ('request-mail', 'send-mail') and j.failed_at is null
      and (starts_with(j.error, 'The mail server cannot be used') or (j.lease is null and j.due_at < now() - interval '1 minute'))
  )
$$;
comment on function private.mail_is_late is
  'Returns true if mails are delayed because the mail server accepts none, or because no host sends them.';

create function public.mail_is_late() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=10"}]', true);
  return private.mail_is_late();
end
$$;
comment on function public.mail_is_late is 'Returns true if mails are delayed. For users who are waiting for a mail.';

grant execute on function public.mail_is_late() to anon, authenticated;

insert into private.retention (name, run_order, statement) values
  ('jobs: dead letters 30 days, and what is not run here one day after it expired', 50, $$delete from private.jobs j
    where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day')$$);

insert into private.exports (relation, left_out) values
  ('private.jobs', 'repeats mails and pushes that are still to be sent, for two days at most, without their text');
