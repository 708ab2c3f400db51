-- Pushes: the devices they go to, and the outbox they are sent from.

-- Types ----------------------------------------------------------------------------------------------------------

create type public.device_platform as enum ('android', 'ios');

-- Tables ---------------------------------------------------------------------------------------------------------

create table public.device_tokens (
  device_id text primary key check (char_length(device_id) between 8 and 200),
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  platform public.device_platform not null,
  token text not null check (char_length(token) between 8 and 4096),
  updated_at timestamptz not null default now()
);
comment on table public.device_tokens is 'Where pushes go: one row per device, owned by the user who registered it last.';
alter table public.device_tokens enable row level security;

create table private.push_outbox (
  id bigint generated always as identity primary key,
  notification_id uuid not null references public.notifications (id) on delete cascade,
  device_id text not null references public.device_tokens (device_id) on delete cascade,
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (notification_id, device_id)
);
comment on table private.push_outbox is 'Pushes to send; a row is deleted when its push was sent or never can be.';
alter table private.push_outbox enable row level security;

-- A push goes to devices whose session has not ended: after logging out everywhere, or changing the password of a lost
-- phone, no push arrives there.
create table private.device_sessions (
  device_id text primary key references public.device_tokens (device_id) on delete cascade,
  session_id uuid not null
);
comment on table private.device_sessions is 'The session that registered a device last. No foreign key: a session that ended must differ from no session.';
alter table private.device_sessions enable row level security;

-- Grants ---------------------------------------------------------------------------------------------------------

grant select, insert, update, delete on public.device_tokens to authenticated;

-- Indexes --------------------------------------------------------------------------------------------------------

create index device_tokens_user_id on public.device_tokens (user_id);
create index device_tokens_token on public.device_tokens using hash (token);
create index on private.push_outbox (due_at);
create index on private.push_outbox (device_id);

-- Triggers -------------------------------------------------------------------------------------------------------

create function private.reassign_device_token() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A device with a new user, or a token that moved to a new device id, belongs to whoever registers it now.
  delete from public.device_tokens d
  where (d.device_id = new.device_id and d.user_id <> new.user_id) or (d.token = new.token and d.device_id <> new.device_id);
  new.updated_at := now();
  return new;
end
$$;
create trigger reassign_device_token before insert on public.device_tokens for each row execute function private.reassign_device_token();

-- The ten devices that registered last: otherwise one request could register ten thousand.
create function private.limit_devices() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
language plpgsql security definer set search_path = ''
as $$
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

-- Policies -------------------------------------------------------------------------------------------------------

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

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.api_cleanup_device_tokens(p_device_id text) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.device_tokens d where d.device_id = p_device_id and d.user_id = private.uid()
$$;

create function public.claim_push_outbox(p_limit integer default 50, p_lease_seconds integer default 60)
returns table (
  id bigint, attempts integer, token text, platform public.device_platform,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Seen in the app meanwhile, the device has another user now, or its session ended: nothing to push.
  delete from private.push_outbox o using public.notifications n, public.device_tokens d
  where n.id = o.notification_id and d.device_id = o.device_id and o.due_at <= now()
    and (n.seen_at is not null or d.user_id <> n.receiver_id or exists (
      select from private.device_sessions s
      where s.device_id = d.device_id and not exists (select from auth.sessions a where a.id = s.session_id)));
  return query
    with due as (
      select o.id from private.push_outbox o where o.due_at <= now()
      order by o.due_at limit p_limit for update skip locked
    ), leased as (
      update private.push_outbox o set attempts = o.attempts + 1, due_at = now() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id returning o.*
    )
    -- The sender comes along: a tap on an approval opens the new friend's page without asking the server first.
    select l.id, l.attempts::integer, d.token, d.platform, n.id, n.type, n.title, n.push_message,
      n.data || jsonb_build_object('sender_id', n.sender_id)
    from leased l
    join public.notifications n on n.id = l.notification_id
    join public.device_tokens d on d.device_id = l.device_id
    order by l.id;
end
$$;
comment on function public.claim_push_outbox is 'Leases due pushes to one sender. Send with notification_id as collapse id and tag, so that a push repeated after a crash replaces itself.';

create function public.finish_push(p_id bigint, p_result text, p_retry_seconds integer default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_result = 'retry' then
    update private.push_outbox o
    set due_at = now() + make_interval(secs => coalesce(p_retry_seconds, 15 * (2 ^ o.attempts)::integer))
    where o.id = p_id and o.attempts < 10;
    if found then
      return;
    end if;
  elsif p_result = 'dead_token' then
    delete from public.device_tokens d using private.push_outbox o where o.id = p_id and d.device_id = o.device_id;
  elsif p_result not in ('sent', 'failed') then
    perform private.fail('invalid_input', 'A push ends as sent, failed, dead_token or retry.');
  end if;
  delete from private.push_outbox o where o.id = p_id;
end
$$;
comment on function public.finish_push is 'What became of a leased push: sent, failed (for good), dead_token (the device is forgotten) or retry (up to 10 times, with backoff).';

grant execute on function public.api_cleanup_device_tokens(text) to authenticated;

grant execute on function
  public.claim_push_outbox(integer, integer),
  public.finish_push(bigint, text, integer)
to service_role;
