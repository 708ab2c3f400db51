-- One queue of jobs for everything that is done later or again, in place of the push outbox and of the hosts' timers.

-- Tables ---------------------------------------------------------------------------------------------------------

create table private.jobs (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z][a-z-]*$'),
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
  unique (kind, key)
);
comment on table private.jobs is 'A row is deleted when its job is done, unless it comes again (every). One with failed_at is a dead letter: an operator retries or drops it.';
comment on column private.jobs.key is 'Of two jobs of a kind with one key the later one takes the place of the earlier.';
comment on column private.jobs.user_id is 'Whom it is about: it goes with the account.';
comment on column private.jobs.due_at is 'When it may be claimed; while it has a lease, when that runs out.';
comment on column private.jobs.expires_at is 'When it has lost its purpose. Until then failures are repeated.';
comment on column private.jobs.lost_leases is 'How often its runner ended without saying what became of it.';
comment on column private.jobs.again is 'It was asked for once more while it ran.';
comment on column private.jobs.error is 'Why the last attempt failed; without personal data.';
alter table private.jobs enable row level security;

-- Indexes --------------------------------------------------------------------------------------------------------

create index jobs_due on private.jobs (kind, due_at) where failed_at is null;
create index on private.jobs (user_id);

-- Functions ------------------------------------------------------------------------------------------------------

create function private.add_job(
  p_kind text, p_key text default null, p_payload jsonb default '{}', p_user_id uuid default null, p_lifetime interval default '2 days'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.jobs as j (kind, key, payload, user_id, expires_at) values (p_kind, p_key, p_payload, p_user_id, now() + p_lifetime)
  on conflict (kind, key) do update set
    payload = excluded.payload, user_id = excluded.user_id, failed_at = null, error = null, lost_leases = 0,
    expires_at = case when j.every is null then excluded.expires_at end,
    again = j.lease is not null,
    due_at = case when j.lease is null then excluded.due_at else j.due_at end,
    attempts = case when j.lease is null then 0 else j.attempts end;
  perform pg_notify('jobs', p_kind);
end
$$;
comment on function private.add_job is 'Asks for a job in the caller''s transaction. One that comes again (every) is asked for at once by its kind and the key ''''.';

create function private.schedule_job(p_kind text, p_every interval) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.jobs as j (kind, key, every) values (p_kind, '', p_every)
  on conflict (kind, key) do update set every = excluded.every where j.every is distinct from excluded.every
$$;
comment on function private.schedule_job is 'Makes a job come again, however many hosts say so; a new one is due at once.';

create function private.record_job(p_kind text, p_every interval) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into private.jobs as j (kind, key, every, done_at, due_at) values (p_kind, '', p_every, now(), now() + p_every)
  on conflict (kind, key) do update set done_at = now(), due_at = now() + coalesce(j.every, p_every), error = null, attempts = 0
$$;
comment on function private.record_job is 'Somebody did by hand what comes again: it is due an interval later.';

create function private.claim_jobs(p_kind text, p_limit integer default 1, p_lease_seconds integer default 60)
returns table (id bigint, lease uuid, payload jsonb, attempts integer)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- What lost its purpose, or ended its runner three times, is not tried again.
  update private.jobs j set failed_at = now(), lease = null,
    error = case when o.poison then 'Its runner ended three times without an answer' else coalesce(j.error, 'Nobody ran it in time') end
  from (
    select d.id, d.lease is not null and d.lost_leases >= 2 as poison from private.jobs d
    where d.kind = p_kind and d.failed_at is null and d.due_at <= now() and d.every is null
      and (d.expires_at <= now() or (d.lease is not null and d.lost_leases >= 2))
    for update skip locked
  ) o where j.id = o.id;
  return query
    with due as (
      select d.id from private.jobs d where d.kind = p_kind and d.failed_at is null and d.due_at <= now()
      order by d.due_at, d.id limit p_limit for update skip locked
    )
    update private.jobs j set attempts = j.attempts + 1, lost_leases = j.lost_leases + (j.lease is not null)::integer,
      lease = gen_random_uuid(), due_at = now() + make_interval(secs => p_lease_seconds), again = false
    from due where j.id = due.id
    returning j.id, j.lease, j.payload, j.attempts;
end
$$;
comment on function private.claim_jobs is 'Leases due jobs of a kind to one runner, which says what became of them (finish_job) before the lease runs out, or extends it.';

create function private.extend_job(p_id bigint, p_lease uuid, p_lease_seconds integer default 60) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with extended as (
    update private.jobs j set due_at = now() + make_interval(secs => p_lease_seconds)
    where j.id = p_id and j.lease = p_lease returning 1
  ) select exists (select from extended)
$$;

create function private.finish_job(
  p_id bigint, p_lease uuid, p_error text default null, p_retry_seconds integer default null, p_final boolean default false
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_error is null then
    delete from private.jobs j where j.id = p_id and j.lease = p_lease and j.every is null and not j.again;
    update private.jobs j set lease = null, attempts = 0, lost_leases = 0, again = false, error = null, done_at = now(),
      due_at = case when j.again then now() else now() + j.every end
    where j.id = p_id and j.lease = p_lease;
    return;
  end if;
  -- What was asked for anew meanwhile has not failed yet.
  update private.jobs j set lease = null, lost_leases = 0, again = false, error = p_error,
    attempts = case when j.again then 0 else j.attempts end,
    due_at = case when j.again then now()
      else now() + make_interval(secs => coalesce(p_retry_seconds, least(15 * 2 ^ least(j.attempts - 1, 10), 900)::integer)) end,
    failed_at = case when p_final and not j.again and j.every is null then now() end
  where j.id = p_id and j.lease = p_lease;
end
$$;
comment on function private.finish_job is 'Done, or failed with an error: then it comes again after a pause that doubles from 15 seconds to 15 minutes, or is a dead letter at once (p_final). Nothing happens to whoever has lost the lease.';

-- Pushes ---------------------------------------------------------------------------------------------------------

drop function public.claim_push_outbox(integer, integer);
drop function public.finish_push(bigint, text, integer);

create function public.claim_pushes(p_limit integer default 50, p_lease_seconds integer default 60)
returns table (
  id bigint, lease uuid, token text, platform public.device_platform,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Seen in the app meanwhile, the device has another user now, or its session ended: nothing to push.
  delete from private.jobs j where j.kind = 'send-push' and j.failed_at is null and j.due_at <= now() and not exists (
    select from public.notifications n
    join public.device_tokens d on d.device_id = j.payload ->> 'device_id' and d.user_id = n.receiver_id
    where n.id = (j.payload ->> 'notification_id')::uuid and n.seen_at is null and not exists (
      select from private.device_sessions s
      where s.device_id = d.device_id and not exists (select from auth.sessions a where a.id = s.session_id)));
  return query
    -- The sender comes along: a tap on an approval opens the new friend's page without asking the server first.
    select c.id, c.lease, d.token, d.platform, n.id, n.type, n.title, n.push_message,
      n.data || jsonb_build_object('sender_id', n.sender_id)
    from private.claim_jobs('send-push', p_limit, p_lease_seconds) c
    join public.notifications n on n.id = (c.payload ->> 'notification_id')::uuid
    join public.device_tokens d on d.device_id = c.payload ->> 'device_id'
    order by c.id;
end
$$;
comment on function public.claim_pushes is 'Leases due pushes to one sender. Send with notification_id as collapse id and tag, so that a push repeated after a crash replaces itself.';

create function public.finish_push(p_id bigint, p_lease uuid, p_result text, p_retry_seconds integer default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_result = 'retry' then
    perform private.finish_job(p_id, p_lease, 'The push service did not take it', p_retry_seconds);
  elsif p_result = 'failed' then
    perform private.finish_job(p_id, p_lease, 'The push service refuses this push', null, true);
  elsif p_result in ('sent', 'dead_token') then
    if p_result = 'dead_token' then
      delete from public.device_tokens d using private.jobs j
      where j.id = p_id and j.lease = p_lease and d.device_id = j.payload ->> 'device_id';
    end if;
    perform private.finish_job(p_id, p_lease);
  else
    perform private.fail('invalid_input', 'A push ends as sent, failed, dead_token or retry.');
  end if;
end
$$;
comment on function public.finish_push is 'What became of a leased push: sent, failed (a dead letter), dead_token (the device is forgotten) or retry (until the push is two days old).';

grant execute on function
  public.claim_pushes(integer, integer),
  public.finish_push(bigint, uuid, text, integer)
to service_role;

create or replace function private.publish_notification() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  receiver record;
  wanted record;
  texts record;
begin
  select u.language into receiver from public.users u where u.id = new.receiver_id;
  select p.* into wanted from public.notifications_preferences p where p.user_id = new.receiver_id;
  if wanted.muted or not coalesce(case new.type
      when 'friendRequest' then wanted.friend_request
      when 'friendApproval' then wanted.friend_approval
      else wanted.park_invite
    end, true) then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  select t.* into texts from private.notification_texts(
    new.type, receiver.language, (select u.name from public.users u where u.id = new.sender_id),
    private.park_name((new.data ->> 'park_id')::bigint, receiver.language),
    (new.data ->> 'meet_at')::timestamptz, (new.data ->> 'accepted')::boolean) t;
  update public.notifications n
  set title = texts.title, app_message = texts.message, push_message = texts.message, is_ready = true
  where n.id = new.id;
  if found then
    perform private.add_job('send-push', new.id || ' ' || d.device_id,
      jsonb_build_object('notification_id', new.id, 'device_id', d.device_id), new.receiver_id)
    from public.device_tokens d where d.user_id = new.receiver_id;
  end if;
  return null;
end
$$;

-- What waits in the outbox is sent from the queue.
insert into private.jobs (kind, key, payload, user_id, due_at, expires_at, created_at)
select 'send-push', o.notification_id || ' ' || o.device_id, jsonb_build_object('notification_id', o.notification_id, 'device_id', o.device_id),
  n.receiver_id, o.due_at, o.created_at + interval '2 days', o.created_at
from private.push_outbox o join public.notifications n on n.id = o.notification_id order by o.id;
drop table private.push_outbox;

-- Retention ------------------------------------------------------------------------------------------------------

create or replace function private.reduce_history() returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- A visit is counted into busy_hours when it ends; those that nobody ended are ended here.
  update public.check_ins c set ended_at = c.expires_at where c.ended_at is null and c.expires_at < now();
  delete from public.check_ins c where c.started_at < now() - interval '90 days' and c.ended_at is not null;
  delete from public.check_ins c where c.planned and c.expires_at < now();
  perform private.renew_review_standings();
  delete from private.busy_hours b where b.day < current_date - 180;
  delete from private.live_reports r where r.expires_at < now() - interval '90 days';
  delete from public.park_invites i where i.meet_at < now() - interval '90 days';
  delete from public.reviews r where r.remove_at < now();
  delete from public.dogs d where d.deleted_at < now() - interval '90 days';
  delete from public.notifications n where n.created_at < now() - interval '1 year';
  -- Dead letters, and jobs that nobody runs here, such as pushes where none can be sent.
  delete from private.jobs j where j.failed_at < now() - interval '30 days' or (j.failed_at is null and j.expires_at < now() - interval '1 day');
  delete from private.idempotency_keys k where k.created_at < now() - interval '30 days';
  delete from private.declined_requests d where d.declined_at < now() - interval '30 days';
  delete from private.rate_limits r where r.window_start < now() - interval '2 days';
end
$$;
