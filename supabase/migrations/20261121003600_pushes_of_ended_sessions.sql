-- A push goes to devices whose session still is: who logged out everywhere, or lost a phone and changed the password,
-- hears nothing there any more.

create table private.device_sessions (
  device_id text primary key references public.device_tokens (device_id) on delete cascade,
  session_id uuid not null
);
comment on table private.device_sessions is 'The session that registered a device last; no reference, for a session that ended must be told from none.';
alter table private.device_sessions enable row level security;

create function private.note_device_session() returns trigger
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
create trigger note_device_session after insert or update on public.device_tokens
  for each row execute function private.note_device_session();

create or replace function public.claim_push_outbox(p_limit integer default 50, p_lease_seconds integer default 60)
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
    select l.id, l.attempts::integer, d.token, d.platform, n.id, n.type, n.title, n.push_message,
      n.data || jsonb_build_object('sender_id', n.sender_id)
    from leased l
    join public.notifications n on n.id = l.notification_id
    join public.device_tokens d on d.device_id = l.device_id
    order by l.id;
end
$$;
