-- Pushes to phones and browsers. Each push is a job of the type send-push or send-web-push.

create type public.device_platform as enum ('android', 'ios');

-- A device is deleted with its session, so that a lost phone gets no pushes after the user logged out everywhere or changed the
-- password.
create table public.device_tokens (
  device_id text primary key check (char_length(device_id) between 8 and 200),
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  session_id uuid references auth.sessions (id) on delete cascade,
  platform public.device_platform not null,
  token text not null check (char_length(token) between 8 and 4096),
  time_zone text check (time_zone is null or timestamptz 'epoch' at time zone time_zone is not null),
  updated_at timestamptz not null default now()
);
comment on table public.device_tokens is 'Phones that receive pushes: one row per device, owned by the user who registered it last.';
comment on column public.device_tokens.time_zone is 'The device''s time zone for quiet hours; without it quiet hours do not apply.';
alter table public.device_tokens enable row level security;

grant select, insert, update, delete on public.device_tokens to authenticated;

create index device_tokens_user_id on public.device_tokens (user_id);
create index device_tokens_session_id on public.device_tokens (session_id);
create index device_tokens_token on public.device_tokens using hash (token);

create function private.reassign_device_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- If a device or a token was registered before, by another user or with another device ID, it now belongs to the user who
  -- registers it.
  delete from public.device_tokens d
  where (d.device_id = new.device_id and d.user_id <> new.user_id) or (d.token = new.token and d.device_id <> new.device_id);
  new.updated_at := now();
  new.session_id := (auth.jwt() ->> 'session_id')::uuid;
  return new;
end
$$;
create trigger reassign_device_token before insert or update on public.device_tokens
  for each row execute function private.reassign_device_token();

-- Keeps only the ten devices that registered last, because one request could register thousands.
create function private.limit_devices() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.device_tokens d using (
    select t.device_id, row_number() over (partition by t.user_id order by t.updated_at desc, t.device_id) as place
    from public.device_tokens t where t.user_id in (select i.user_id from inserted i)
  ) ranked
  where ranked.device_id = d.device_id and ranked.place > 10;
  return null;
end
$$;
create trigger limit_devices after insert on public.device_tokens
  referencing new table as inserted for each statement execute function private.limit_devices();

create view private.push_targets as
  select 'send-push' as type, d.device_id as target, d.user_id, d.time_zone, d.token, null as p256dh, null as auth
  from public.device_tokens d
  union all
  select 'send-web-push', s.endpoint, s.user_id, s.time_zone, s.endpoint, s.p256dh, s.auth from private.push_subscriptions s;
comment on view private.push_targets is 'The devices and browsers that receive pushes, by the type of job that sends them.';

create function private.is_still_true(n public.notifications) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return case
    when n.type in ('friendThere', 'friendComing') then private.may_know_of_visit(n.receiver_id, (n.data ->> 'visit_id')::uuid)
    when n.type = 'hazard' then exists (
      select from private.live_reports r
      where r.id = (n.data ->> 'report_id')::uuid and r.verified_at is not null and r.ended_at is null and r.expires_at > now())
    when n.type = 'lostDog' then exists (
      select from private.lost_dogs l where l.id = (n.data ->> 'lost_id')::uuid and private.is_lost(l))
    when n.type = 'goodTime' then exists (
      select from public.favourite_parks f
      where f.user_id = n.receiver_id and f.park_id = (n.data ->> 'park_id')::bigint and f.good_from is not null)
    else not private.is_blocked_between(n.sender_id, n.receiver_id)
  end;
end
$$;
comment on function private.is_still_true is
  'Returns whether the condition under which a user was notified still holds. Checked when a push is delivered, which may be hours '
  'later.';

create function private.push_until(n public.notifications) returns timestamptz
language sql stable set search_path = '' as $$
  select least(n.created_at + k.push_lives,
    case when n.type in ('parkInvite', 'parkInviteResponse') then (n.data ->> 'meet_at')::timestamptz end,
    (n.data ->> 'until')::timestamptz)
  from private.notification_types k where k.type = n.type
$$;
comment on function private.push_until is 'The time until which the content of a push is true.';

create function private.push_urgency(n public.notifications) returns text
language sql stable set search_path = '' as $$
  select case when n.type = 'goodTime' then 'low' when n.type = 'hazard' and exists (
    select from private.present x where x.user_id = n.receiver_id and x.park_id = (n.data ->> 'park_id')::bigint) then 'high'
    else 'normal' end
$$;
comment on function private.push_urgency is
  'The urgency of a push, as in RFC 8030: high for a hazard at the park where the receiver is, low for one without a sound.';

create function private.push_due(p_time_zone text, p_from integer, p_to integer, p_at timestamptz default now()) returns timestamptz
language sql stable set search_path = '' as $$
  select case when case when p_from <= p_to then hour >= p_from and hour < p_to else hour >= p_from or hour < p_to end
    then (date_trunc('day', clock) + make_interval(days => (hour >= p_to)::integer, hours => p_to)) at time zone p_time_zone
    else p_at end
  from (select p_at at time zone p_time_zone as clock) l cross join lateral extract(hour from l.clock) hour
$$;
comment on function private.push_due is
  'p_at, or the end of the quiet hours. p_from and p_to are hours of the day; equal hours mean no quiet hours. Without a time zone '
  'returns p_at.';

create function private.queue_pushes(n public.notifications) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job(t.type, n.id || ' ' || t.target,
    jsonb_build_object('notification_id', n.id, 'target', t.target), n.receiver_id, '2 days',
    case when private.push_urgency(n) = 'high' then now()
      else private.push_due(t.time_zone, coalesce(p.quiet_from, 22), coalesce(p.quiet_to, 7)) end)
  from private.push_targets t left join public.notifications_preferences p on p.user_id = t.user_id
  where t.user_id = n.receiver_id
$$;

create policy "users see their own devices" on public.device_tokens for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users register their own devices" on public.device_tokens for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "users update their own devices" on public.device_tokens for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "users remove their own devices" on public.device_tokens for delete to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.device_tokens as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.api_cleanup_device_tokens(p_device_id text) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.device_tokens d where d.device_id = p_device_id and d.user_id = private.uid()
$$;

create function public.claim_pushes(p_limit integer default 50, p_lease_seconds integer default 60, p_type text default 'send-push')
returns table (
  id bigint, lease uuid, token text, p256dh text, auth text,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb,
  language public.language, unseen integer, seconds integer, urgency text, topic text
)
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed bigint[];
begin
  if p_type is null or p_type not in ('send-push', 'send-web-push') then
    perform private.fail('invalid_input', 'Pushes are send-push or send-web-push.');
  end if;
  -- Deletes pushes that were seen in the app or are no longer true, and those whose device was deleted or has another user now.
  delete from private.jobs j where j.type = p_type and j.failed_at is null and j.due_at <= now() and not exists (
    select from public.notifications n
    join private.push_targets t on t.type = p_type and t.target = j.payload ->> 'target' and t.user_id = n.receiver_id
    where n.id = (j.payload ->> 'notification_id')::uuid and n.seen_at is null and private.push_until(n) > now()
      and private.is_still_true(n));
  -- Jobs are claimed in a separate statement. The next statement has a newer snapshot, so it sees the rows that were committed
  -- together with a claimed job.
  claimed := array(select c.id from private.claim_jobs(p_type, p_limit, p_lease_seconds) c);
  return query
    -- The data includes the sender, so a tap on the push opens the friend's page without another request.
    select j.id, j.lease, t.token, t.p256dh, t.auth, n.id, n.type, n.title,
      -- Web pushes are encrypted, so they may contain names.
      case p_type when 'send-web-push' then n.app_message else n.push_message end,
      case when n.type in ('friendThere', 'friendComing') and p_type = 'send-push' then '{}'
        else jsonb_strip_nulls(n.data || jsonb_build_object('sender_id', n.sender_id)) end,
      u.language,
      (select count(*)::integer from public.notifications x where x.receiver_id = n.receiver_id and x.is_ready and x.seen_at is null),
      greatest(1, extract(epoch from private.push_until(n) - now()))::integer, private.push_urgency(n),
      -- A newer push with the same topic replaces the older one.
      md5(case n.type when 'friendComing' then 'friendThere' else n.type end
        || coalesce(n.data ->> 'park_id', '') || coalesce(n.sender_id::text, ''))
    from private.jobs j
    join public.notifications n on n.id = (j.payload ->> 'notification_id')::uuid
    join private.push_targets t on t.type = p_type and t.target = j.payload ->> 'target'
    join public.users u on u.id = n.receiver_id
    where j.id = any (claimed)
    order by j.id;
end
$$;
comment on function public.claim_pushes is
  'Leases due pushes of a type to one sender: send-push for Firebase, send-web-push for browsers. seconds is how long the push service '
  'may keep one. Send with notification_id as collapse ID and tag, so that a push repeated after a crash replaces itself.';

create function public.finish_push(p_id bigint, p_lease uuid, p_result text, p_retry_seconds integer default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_result = 'retry' then
    perform private.finish_job(p_id, p_lease, 'The push service did not take it', p_retry_seconds);
  elsif p_result = 'failed' then
    perform private.finish_job(p_id, p_lease, 'The push service refuses this push', null, true);
  elsif p_result in ('sent', 'dead_token') then
    if p_result = 'dead_token' then
      delete from public.device_tokens d using private.jobs j
      where j.id = p_id and j.lease = p_lease and j.type = 'send-push' and d.device_id = j.payload ->> 'target';
      delete from private.push_subscriptions s using private.jobs j
      where j.id = p_id and j.lease = p_lease and j.type = 'send-web-push' and s.endpoint = j.payload ->> 'target';
    end if;
    perform private.finish_job(p_id, p_lease);
  else
    perform private.fail('invalid_input', 'A push ends as sent, failed, dead_token or retry.');
  end if;
end
$$;
comment on function public.finish_push is
  'Records the result of a leased push: sent, failed (a dead letter), dead_token (the device is deleted) or retry (until the push is two '
  'days old).';

grant execute on function public.api_cleanup_device_tokens(text) to authenticated;

grant execute on function
  public.claim_pushes(integer, integer, text),
  public.finish_push(bigint, uuid, text, integer)
to service_role;

insert into private.exports (relation, part, statement) values
  ('public.device_tokens', 'devices',
    $$select d.updated_at, d.device_id::text, jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)
    from public.device_tokens d where d.user_id = $1$$);
