-- Notifications: triggers insert them not ready; when their transaction commits, a second step writes the texts in the
-- receiver's language, or drops what is muted. That UPDATE is what realtime sends; push goes through an outbox.

create type public.notification_type as enum ('friendRequest', 'friendApproval', 'parkInvite', 'parkInviteResponse');
create type public.device_platform as enum ('android', 'ios');

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  type public.notification_type not null,
  sender_id uuid not null references public.users (id) on delete cascade,
  receiver_id uuid not null references public.users (id) on delete cascade,
  title text not null default '',
  app_message text not null default '',
  push_message text not null default '',
  is_ready boolean not null default false,
  read_at timestamptz,
  seen_at timestamptz,
  created_at timestamptz not null default now(),
  data jsonb not null default '{}'
);
comment on table public.notifications is 'What a user is told; invisible until ready.';
comment on column public.notifications.data is 'park_id, invite_id, meet_at and accepted, where the type has them.';

create table public.notifications_preferences (
  user_id uuid primary key default auth.uid() references public.users (id) on delete cascade,
  muted boolean not null default false,
  friend_request boolean not null default true,
  friend_approval boolean not null default true,
  park_invite boolean not null default true
);
comment on table public.notifications_preferences is 'Which kinds a user wants; no row means all of them. Muted turns off all.';

create table public.device_tokens (
  device_id text primary key check (char_length(device_id) between 8 and 200),
  user_id uuid not null default auth.uid() references public.users (id) on delete cascade,
  platform public.device_platform not null,
  token text not null check (char_length(token) between 8 and 4096),
  updated_at timestamptz not null default now()
);
comment on table public.device_tokens is 'Where push goes: one row per device, owned by who used it last.';

create table private.push_outbox (
  id bigint generated always as identity primary key,
  notification_id uuid not null references public.notifications (id) on delete cascade,
  device_id text not null references public.device_tokens (device_id) on delete cascade,
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (notification_id, device_id)
);
comment on table private.push_outbox is 'Pushes that are to be sent; a row goes away when it was, or never can be.';

alter table public.notifications enable row level security;
alter table public.notifications_preferences enable row level security;
alter table public.device_tokens enable row level security;
alter table private.push_outbox enable row level security;

-- Grants ---------------------------------------------------------------------------------------------------------

grant select on public.notifications to authenticated;
grant select, insert, update on public.notifications_preferences to authenticated;
grant select, insert, update, delete on public.device_tokens to authenticated;

-- Indexes --------------------------------------------------------------------------------------------------------

create index notifications_unseen on public.notifications (receiver_id, created_at desc) where seen_at is null;
create index notifications_history on public.notifications (receiver_id, created_at desc);
create index notifications_of_sender on public.notifications (sender_id, receiver_id);
create index device_tokens_user_id on public.device_tokens (user_id);
create index device_tokens_token on public.device_tokens using hash (token);
create index on private.push_outbox (due_at);
create index on private.push_outbox (device_id);

-- Functions ------------------------------------------------------------------------------------------------------

create function private.isolated(p_text text) returns text
language sql immutable set search_path = ''
as $$
  -- A Hebrew name in an English sentence must not turn the sentence around: FSI ... PDI.
  select U&'\2068' || p_text || U&'\2069'
$$;

create function private.short_time(p_at timestamptz, p_language public.language) returns text
language sql stable set search_path = ''
as $$
  select to_char(p_at at time zone 'Asia/Jerusalem', case p_language when 'en' then 'FMDD Mon, HH24:MI' when 'he' then 'FMDD.FMMM, HH24:MI' else 'FMDD/FMMM، HH24:MI' end)
$$;

create function private.notification_texts(
  p_type public.notification_type, p_language public.language, p_sender text, p_park text, p_meet_at timestamptz, p_accepted boolean,
  out title text, out message text
)
language plpgsql stable set search_path = ''
as $$
declare
  sender text := private.isolated(p_sender);
  park text := private.isolated(coalesce(p_park, ''));
  at_time text := private.isolated(coalesce(private.short_time(p_meet_at, p_language), ''));
begin
  case p_language
    when 'he' then
      case p_type
        when 'friendRequest' then title := 'בקשת חברות חדשה'; message := 'התקבלה בקשת חברות מאת ' || sender;
        when 'friendApproval' then title := 'בקשת החברות אושרה'; message := 'יש לכם חברות חדשה בלהקה: ' || sender;
        when 'parkInvite' then title := 'הזמנה לגינת כלבים'; message := 'הזמנה מאת ' || sender || ': ' || park || ', ' || at_time;
        when 'parkInviteResponse' then
          if p_accepted then title := 'אישור הגעה'; message := 'נפגשים! אישור מאת ' || sender || ': ' || park || ', ' || at_time;
          else title := 'לא הפעם'; message := 'הפעם בלי ' || sender || ': ' || park || ', ' || at_time; end if;
      end case;
    when 'ar' then
      case p_type
        when 'friendRequest' then title := 'طلب صداقة جديد'; message := 'وصلك طلب صداقة من ' || sender;
        when 'friendApproval' then title := 'تم قبول طلب الصداقة'; message := 'صداقة جديدة في القطيع: ' || sender;
        when 'parkInvite' then title := 'دعوة إلى متنزه الكلاب'; message := 'دعوة من ' || sender || ': ' || park || '، ' || at_time;
        when 'parkInviteResponse' then
          if p_accepted then title := 'تم قبول الدعوة'; message := 'نلتقي هناك! ردّ بالموافقة من ' || sender || ': ' || park || '، ' || at_time;
          else title := 'ليس هذه المرة'; message := 'اعتذار عن الدعوة من ' || sender || ': ' || park || '، ' || at_time; end if;
      end case;
    else
      case p_type
        when 'friendRequest' then title := 'New friend request'; message := sender || ' wants to be your friend';
        when 'friendApproval' then title := 'Friend request accepted'; message := 'You and ' || sender || ' are now friends';
        when 'parkInvite' then title := 'Meet at the park?'; message := sender || ' invites you to ' || park || ', ' || at_time;
        when 'parkInviteResponse' then
          if p_accepted then title := 'See you at the park'; message := sender || ' is coming to ' || park || ', ' || at_time;
          else title := 'Not this time'; message := sender || ' cannot come to ' || park || ', ' || at_time; end if;
      end case;
  end case;
end
$$;

create function private.make_ready() returns trigger
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
    insert into private.push_outbox (notification_id, device_id)
    select new.id, d.device_id from public.device_tokens d where d.user_id = new.receiver_id;
    if found then
      perform pg_notify('push_outbox', '');
    end if;
  end if;
  return null;
end
$$;
comment on function private.make_ready is 'The second step: runs when the transaction that notified commits.';

create function private.notify(p_type public.notification_type, p_sender uuid, p_receiver uuid, p_data jsonb default '{}') returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.notifications (type, sender_id, receiver_id, data)
  select p_type, p_sender, p_receiver, p_data
  where not exists (
    select from public.blocks b
    where (b.blocker = p_sender and b.blocked = p_receiver) or (b.blocker = p_receiver and b.blocked = p_sender))
$$;

-- Triggers -------------------------------------------------------------------------------------------------------

create constraint trigger make_ready after insert on public.notifications
  deferrable initially deferred for each row when (not new.is_ready) execute function private.make_ready();

create function private.tell_of_friendship() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  friendship private.friendships := case when tg_op = 'DELETE' then old else new end;
  asker uuid := friendship.requester;
  other uuid := case when asker = friendship.user_low then friendship.user_high else friendship.user_low end;
begin
  if tg_op = 'INSERT' then
    if new.status = 'pending' then
      perform private.notify('friendRequest', asker, other);
    end if;
  elsif tg_op = 'UPDATE' and new.status = 'accepted' then
    perform private.notify('friendApproval', other, asker);
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now())
    where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest' and n.read_at is null;
  else
    -- Removed or declined: nothing to answer any more.
    delete from public.notifications n where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  end if;
  return null;
end
$$;
create trigger tell_of_friendship after insert or delete or update of status on private.friendships
  for each row execute function private.tell_of_friendship();

create function private.silence_blocked() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notifications n
  where (n.sender_id = new.blocker and n.receiver_id = new.blocked) or (n.sender_id = new.blocked and n.receiver_id = new.blocker);
  return null;
end
$$;
create trigger silence_blocked after insert on public.blocks for each row execute function private.silence_blocked();

create function private.hand_device_over() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A device that changes hands, or a token that moved to a new device id, belongs to who uses it now.
  delete from public.device_tokens d
  where (d.device_id = new.device_id and d.user_id <> new.user_id) or (d.token = new.token and d.device_id <> new.device_id);
  new.updated_at := now();
  return new;
end
$$;
create trigger hand_device_over before insert on public.device_tokens for each row execute function private.hand_device_over();
create trigger touch_updated_at before update on public.device_tokens for each row execute function private.touch_updated_at();

-- Policies -------------------------------------------------------------------------------------------------------

create policy "users see their own notifications when ready" on public.notifications for select to authenticated
  using (receiver_id = (select auth.uid()) and is_ready);

create policy "users see their own preferences" on public.notifications_preferences for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users set their own preferences" on public.notifications_preferences for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "users change their own preferences" on public.notifications_preferences for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

create policy "users see their own devices" on public.device_tokens for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users register their own devices" on public.device_tokens for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "users update their own devices" on public.device_tokens for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "users remove their own devices" on public.device_tokens for delete to authenticated
  using (user_id = (select auth.uid()));

alter publication supabase_realtime add table public.notifications;

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.mark_notification_read(notification_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now())
  where n.id = mark_notification_read.notification_id and n.receiver_id = auth.uid() and n.is_ready
$$;

create function public.mark_all_notifications_as_read() returns void
language sql volatile security definer set search_path = ''
as $$
  update public.notifications n set read_at = now(), seen_at = coalesce(n.seen_at, now())
  where n.receiver_id = auth.uid() and n.is_ready and n.read_at is null
$$;

create function public.mark_all_notifications_as_seen() returns void
language sql volatile security definer set search_path = ''
as $$
  update public.notifications n set seen_at = now()
  where n.receiver_id = auth.uid() and n.is_ready and n.seen_at is null
$$;

create function public.api_cleanup_device_tokens(p_device_id text) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.device_tokens d where d.device_id = p_device_id and d.user_id = auth.uid()
$$;

create function public.claim_push_outbox(p_limit integer default 50, p_lease_seconds integer default 60)
returns table (
  id bigint, attempts integer, token text, platform public.device_platform,
  notification_id uuid, type public.notification_type, title text, body text, data jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  -- Seen in the app meanwhile, or the device has another user now: nothing to push.
  delete from private.push_outbox o using public.notifications n, public.device_tokens d
  where n.id = o.notification_id and d.device_id = o.device_id and o.due_at <= now()
    and (n.seen_at is not null or d.user_id <> n.receiver_id);
  return query
    with due as (
      select o.id from private.push_outbox o where o.due_at <= now()
      order by o.due_at limit p_limit for update skip locked
    ), leased as (
      update private.push_outbox o set attempts = o.attempts + 1, due_at = now() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id returning o.*
    )
    select l.id, l.attempts::integer, d.token, d.platform, n.id, n.type, n.title, n.push_message, n.data
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

grant execute on function
  public.mark_notification_read(uuid), public.mark_all_notifications_as_read(), public.mark_all_notifications_as_seen(),
  public.api_cleanup_device_tokens(text)
to authenticated;
grant execute on function public.claim_push_outbox(integer, integer), public.finish_push(bigint, text, integer) to service_role;
