-- Pushes: the devices they go to; each push is a job of the kind send-push.

create type public.device_platform as enum ('android', 'ios', 'web');

create table public.device_tokens (
  device_id text primary key check (char_length(device_id) between 8 and 200),
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  platform public.device_platform not null,
  token text not null check (char_length(token) between 8 and 4096),
  time_zone text check (time_zone is null or timestamptz 'epoch' at time zone time_zone is not null),
  updated_at timestamptz not null default now(),
  check (case platform when 'web' then coalesce(token::jsonb ->> 'endpoint' ~ '^https://([a-z0-9-]+[.])+[a-z]{2,}/'
    and token::jsonb #>> '{keys,p256dh}' ~ '^[A-Za-z0-9_-]{87}$' and token::jsonb #>> '{keys,auth}' ~ '^[A-Za-z0-9_-]{22}$', false)
    else true end)
);
comment on table public.device_tokens is 'Where pushes go: one row per device, owned by the user who registered it last.';
comment on column public.device_tokens.token is 'Of a browser the subscription as JSON: endpoint, keys.p256dh, keys.auth.';
comment on column public.device_tokens.time_zone is 'The device''s, for quiet hours; without it there are none.';
alter table public.device_tokens enable row level security;

-- A push goes to devices whose session has not ended: after logging out everywhere, or changing the password of a lost
-- phone, no push arrives there.
create table private.device_sessions (
  device_id text primary key references public.device_tokens (device_id) on delete cascade,
  session_id uuid not null
);
comment on table private.device_sessions is
  'The session that registered a device last. No foreign key: a session that ended must differ from no session.';
alter table private.device_sessions enable row level security;

grant select, insert, update, delete on public.device_tokens to authenticated;

create index device_tokens_user_id on public.device_tokens (user_id);
create index device_tokens_token on public.device_tokens using hash (token);

create function private.reassign_device_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A device with a new user, or a token that moved to a new device id, belongs to the user who registers it now.
  delete from public.device_tokens d
  where (d.device_id = new.device_id and d.user_id <> new.user_id) or (d.token = new.token and d.device_id <> new.device_id);
  new.updated_at := now();
  return new;
end
$$;
create trigger reassign_device_token before insert on public.device_tokens for each row execute function private.reassign_device_token();

-- The ten devices that registered last: otherwise one request could register ten thousand.
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

create function private.record_device_session() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  session text := auth.jwt() ->> 'session_id';
begin
  if session ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
    insert into private.device_sessions (device_id, session_id) values (new.device_id, session::uuid)
    on conflict (device_id) do update set session_id = excluded.session_id;
  end if;
  return null;
end
$$;
create trigger record_device_session after insert or update on public.device_tokens
  for each row execute function private.record_device_session();

create trigger touch_updated_at before update on public.device_tokens for each row execute function private.touch_updated_at();

create function private.push_until(n public.notifications) returns timestamptz
language sql stable set search_path = '' as $$
  select least(n.created_at + k.push_lives,
    case when n.type in ('parkInvite', 'parkInviteResponse') then (n.data ->> 'meet_at')::timestamptz end,
    (n.data ->> 'until')::timestamptz)
  from private.notification_kinds k where k.kind = n.type
$$;
comment on function private.push_until is 'Until when what a push says is still true.';

create function private.is_push_urgent(n public.notifications) returns boolean
language sql stable set search_path = '' as $$
  select n.type = 'hazard' and exists (
    select from private.present x where x.user_id = n.receiver_id and x.park_id = (n.data ->> 'park_id')::bigint)
$$;
comment on function private.is_push_urgent is 'Of a hazard at the park where the receiver is.';

create function private.push_due(p_time_zone text, p_from integer, p_to integer) returns timestamptz
language sql stable set search_path = '' as $$
  select case when case when p_from <= p_to then hour >= p_from and hour < p_to else hour >= p_from or hour < p_to end
    then (date_trunc('day', clock) + make_interval(days => (hour >= p_to)::integer, hours => p_to)) at time zone p_time_zone
    else now() end
  from (select now() at time zone p_time_zone as clock) l cross join lateral extract(hour from l.clock) hour
$$;
comment on function private.push_due is
  'Now, or the end of the quiet hours; from and to are hours of a day, the same twice for none. Without a time zone now.';

create function private.queue_pushes(n public.notifications) returns void
language sql volatile security definer set search_path = '' as $$
  select private.add_job(case d.platform when 'web' then 'send-web-push' else 'send-push' end, n.id || ' ' || d.device_id,
    jsonb_build_object('notification_id', n.id, 'device_id', d.device_id), n.receiver_id, '2 days',
    case when private.is_push_urgent(n) then now()
      else private.push_due(d.time_zone, coalesce(p.quiet_from, 22), coalesce(p.quiet_to, 7)) end)
  from public.device_tokens d left join public.notifications_preferences p on p.user_id = d.user_id
  where d.user_id = n.receiver_id
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

create function public.claim_pushes(p_limit integer default 50, p_lease_seconds integer default 60, p_kind text default 'send-push')
returns table (
  id bigint, lease uuid, token text, platform public.device_platform,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb,
  language public.language, unseen integer, seconds integer, urgent boolean, topic text
)
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed bigint[];
begin
  if p_kind is null or p_kind not in ('send-push', 'send-web-push') then
    perform private.fail('invalid_input', 'Pushes are send-push or send-web-push.');
  end if;
  -- Seen in the app meanwhile, no longer true, the device has another user now, or its session ended: nothing to push.
  delete from private.jobs j where j.kind = p_kind and j.failed_at is null and j.due_at <= now() and not exists (
    select from public.notifications n
    join public.device_tokens d on d.device_id = j.payload ->> 'device_id' and d.user_id = n.receiver_id
    where n.id = (j.payload ->> 'notification_id')::uuid and n.seen_at is null and private.push_until(n) > now() and not exists (
      select from private.device_sessions s
      where s.device_id = d.device_id and not exists (select from auth.sessions a where a.id = s.session_id)));
  -- By a statement of its own: the next one sees what was stored together with a job that has just come.
  claimed := array(select c.id from private.claim_jobs(p_kind, p_limit, p_lease_seconds) c);
  return query
    -- The sender comes along: a tap on an approval opens the new friend's page without asking the server first.
    select j.id, j.lease, d.token, d.platform, n.id, n.type, n.title,
      -- To a browser it goes encrypted.
      case d.platform when 'web' then n.app_message else n.push_message end,
      case when n.type in ('friendThere', 'friendComing') and d.platform <> 'web' then '{}'
        else jsonb_strip_nulls(n.data || jsonb_build_object('sender_id', n.sender_id)) end,
      u.language,
      (select count(*)::integer from public.notifications x where x.receiver_id = n.receiver_id and x.is_ready and x.seen_at is null),
      greatest(1, extract(epoch from private.push_until(n) - now()))::integer, private.is_push_urgent(n),
      -- The newest of the same replaces the older one.
      md5(case n.type when 'friendComing' then 'friendThere' else n.type end
        || coalesce(n.data ->> 'park_id', '') || coalesce(n.sender_id::text, ''))
    from private.jobs j
    join public.notifications n on n.id = (j.payload ->> 'notification_id')::uuid
    join public.device_tokens d on d.device_id = j.payload ->> 'device_id'
    join public.users u on u.id = n.receiver_id
    where j.id = any (claimed)
    order by j.id;
end
$$;
comment on function public.claim_pushes is
  'Leases due pushes of a kind to one sender: send-push for Firebase, send-web-push for browsers; seconds is how long one may wait. Send '
  'with notification_id as collapse id and tag, so that a push repeated after a crash replaces itself.';

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
      where j.id = p_id and j.lease = p_lease and d.device_id = j.payload ->> 'device_id';
    end if;
    perform private.finish_job(p_id, p_lease);
  else
    perform private.fail('invalid_input', 'A push ends as sent, failed, dead_token or retry.');
  end if;
end
$$;
comment on function public.finish_push is
  'What became of a leased push: sent, failed (a dead letter), dead_token (the device is forgotten) or retry (until the push is two days '
  'old).';

grant execute on function public.api_cleanup_device_tokens(text) to authenticated;

grant execute on function
  public.claim_pushes(integer, integer, text),
  public.finish_push(bigint, uuid, text, integer)
to service_role;

insert into private.exports (relation, part, statement) values
  ('public.device_tokens', 'devices',
    $$select d.updated_at, d.device_id::text, jsonb_build_object('platform', d.platform, 'updated_at', d.updated_at)
    from public.device_tokens d where d.user_id = $1$$);

insert into private.exports (relation, left_out) values
  ('private.device_sessions', 'says only which of the exported sessions registered which device');
