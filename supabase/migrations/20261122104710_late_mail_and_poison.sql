-- What comes again is given up, too, once it has ended three runners; and whoever waits for a mail learns that mails are late.

comment on table private.jobs is 'A row is deleted when its job is done, unless it comes again (every). One with failed_at is a dead letter: an operator retries or drops it, also where it came again.';

create or replace function private.add_job(
  p_kind text, p_key text default null, p_payload jsonb default '{}', p_user_id uuid default null, p_lifetime interval default '2 days'
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  insert into private.jobs as j (kind, key, payload, user_id, expires_at) values (p_kind, p_key, p_payload, p_user_id, now() + p_lifetime)
  on conflict (kind, key) do update set
    payload = excluded.payload, user_id = excluded.user_id,
    -- What ends its runners again and again is not made harmless by being asked for once more; an operator retries it.
    failed_at = case when j.every is not null then j.failed_at end,
    error = case when j.every is not null then j.error end,
    lost_leases = case when j.every is not null then j.lost_leases else 0 end,
    expires_at = case when j.every is null then excluded.expires_at end,
    again = j.lease is not null,
    due_at = case when j.lease is null then excluded.due_at else j.due_at end,
    attempts = case when j.lease is null then 0 else j.attempts end;
  perform pg_notify('jobs', p_kind);
end
$$;

create or replace function private.claim_jobs(p_kind text, p_limit integer default 1, p_lease_seconds integer default 60)
returns table (id bigint, lease uuid, payload jsonb, attempts integer)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- What lost its purpose, or ended its runner three times, is not tried again.
  update private.jobs j set failed_at = now(), lease = null,
    error = case when o.poison then 'Its runner ended three times without an answer' else coalesce(j.error, 'Nobody ran it in time') end
  from (
    select d.id, d.lease is not null and d.lost_leases >= 2 as poison from private.jobs d
    where d.kind = p_kind and d.failed_at is null and d.due_at <= now()
      and ((d.every is null and d.expires_at <= now()) or (d.lease is not null and d.lost_leases >= 2))
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

create function private.mail_is_late() returns boolean
language sql stable security definer set search_path = ''
as $$
  -- Also what was asked for emails without an account waits, so that this tells nothing of any of them.
  select exists (
    select from private.jobs j
    where j.kind in ('request-mail', 'send-mail') and j.failed_at is null
      and (starts_with(j.error, 'The mail server cannot be used') or (j.lease is null and j.due_at < now() - interval '1 minute'))
  )
$$;
comment on function private.mail_is_late is 'Whether mails wait because the mail server takes none, or nobody sends them.';

create function public.mail_is_late() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=10"}]', true);
  return private.mail_is_late();
end
$$;
comment on function public.mail_is_late is 'Whether mails are late, for whoever waits for one.';

grant execute on function public.mail_is_late() to anon, authenticated;
