-- Notifications. Triggers insert them unpublished. When the transaction commits, a second step writes the message in the receiver's
-- language, or deletes it if the receiver has muted it. Realtime sends that UPDATE; pushes go through an outbox (push.sql).

create type public.notification_type as enum ('friendRequest', 'friendApproval', 'parkInvite', 'parkInviteResponse', 'hazard',
  'parkInviteCancelled', 'deskDecision', 'sanction', 'deskWaiting', 'friendThere', 'friendComing', 'mailsFail', 'lostDog',
  'dogSighting', 'dogFound', 'dogCarers', 'goodTime');

create type private.notification_severity as enum ('minor', 'severe');

create table private.notification_types (
  type public.notification_type primary key,
  severity private.notification_severity,
  preference text,
  of_desk boolean not null,
  listed_when_muted boolean not null,
  push_lives interval not null
);
comment on table private.notification_types is 'One row per notification type, with everything that publishing needs; no personal data.';
comment on column private.notification_types.severity is
  'The receiver quota in receiver_quotas.sql against which it counts; null for notifications by the site itself.';
comment on column private.notification_types.preference is
  'The column of notifications_preferences that turns this type off; null if only muting all notifications does.';
comment on column private.notification_types.of_desk is
  'True if private.desk_message writes the message; otherwise private.notification_messages does.';
comment on column private.notification_types.listed_when_muted is
  'True if receivers who have muted all notifications still get it in the list, marked as seen and without a push.';
comment on column private.notification_types.push_lives is 'How long a push is useful, at most a day.';
alter table private.notification_types enable row level security;
insert into private.notification_types (type, severity, preference, of_desk, listed_when_muted, push_lives)
select t.type, case when k.of_desk or t.type = 'goodTime' then null else coalesce(k.severity, 'minor') end,
  k.preference, coalesce(k.of_desk, false),
  coalesce(k.listed_when_muted, false), coalesce(k.push_lives, '1 day')
from unnest(enum_range(null::public.notification_type)) t (type) left join (values
  ('friendRequest'::public.notification_type, null::private.notification_severity, 'friend_request', false, false, interval '1 day'),
  ('friendApproval', null, 'friend_approval', false, false, '1 day'),
  ('friendThere', null, 'friend_there', false, false, '4 hours'),
  ('friendComing', null, 'friend_there', false, false, '2 hours'),
  ('parkInvite', 'severe', 'park_invite', false, true, '1 day'),
  ('parkInviteResponse', null, 'park_invite', false, false, '1 day'),
  ('parkInviteCancelled', 'severe', 'park_invite', false, true, '1 day'),
  ('dogCarers', 'severe', null, false, true, '1 day'),
  ('hazard', null, 'hazard', false, false, '2 hours'),
  ('lostDog', 'severe', 'lost_dog', false, false, '6 hours'),
  ('dogSighting', 'severe', null, false, true, '1 day'),
  ('dogFound', null, 'lost_dog', false, false, '1 day'),
  ('goodTime', null, 'good_time', false, false, '30 minutes'),
  ('deskDecision', null, 'desk_decision', true, true, '1 day'),
  ('sanction', null, null, true, true, '1 day'),
  ('deskWaiting', null, null, true, true, '1 day'),
  ('mailsFail', null, null, true, true, '1 day')
) k (type, severity, preference, of_desk, listed_when_muted, push_lives) using (type);

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  type public.notification_type not null references private.notification_types (type),
  sender_id uuid references public.users (id) on delete cascade,
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
comment on table public.notifications is 'Messages to a user; invisible until published (is_ready).';
comment on column public.notifications.sender_id is
  'Null if the sender is secret (a hazard, a lost dog, a decision of the desk) and for a dog that was handed over.';
comment on column public.notifications.data is
  'park_id, invite_id, meet_at, report_id, hazard, town, visit_id, until, reasons and temperature, depending on the type; accepted: the response, once there is '
  'one; for dogs lost_id, event, dog (its name), dog_id and owner_id (the user in whose profile the receiver finds the dog).';
alter table public.notifications enable row level security;

create table public.notifications_preferences (
  user_id uuid primary key default auth.uid() references public.users (id) on delete cascade,
  muted boolean not null default false,
  friend_request boolean not null default true,
  friend_approval boolean not null default true,
  park_invite boolean not null default true,
  hazard boolean not null default true,
  lost_dog boolean not null default true,
  desk_decision boolean not null default true,
  friend_there boolean not null default false,
  good_time boolean not null default true,
  quiet_from smallint not null default 22 check (quiet_from between 0 and 23),
  quiet_to smallint not null default 7 check (quiet_to between 0 and 23)
);
comment on table public.notifications_preferences is
  'The types of notifications that a user wants. Without a row, the user wants all types. Muted turns all off.';
comment on column public.notifications_preferences.friend_there is
  'Applies in both directions: the user is notified of friends at a park or coming, and friends are notified of the user, if both have '
  'it on.';
comment on column public.notifications_preferences.quiet_from is
  'Pushes wait from this hour until quiet_to, in the device''s time zone; the same hour twice means no quiet hours.';
alter table public.notifications_preferences enable row level security;

grant select on public.notifications to authenticated;
grant select, insert, update on public.notifications_preferences to authenticated;

-- Contains is_ready, so that counting does not read the rows of the table.
create index notifications_unseen on public.notifications (receiver_id, created_at desc) include (is_ready) where seen_at is null;
create index notifications_history on public.notifications (receiver_id, created_at desc);
create index notifications_of_sender on public.notifications (sender_id, receiver_id);

create function private.publish_notification() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  receiver record;
  texts record;
  ready public.notifications;
begin
  -- This is a single statement for speed, because a decision about many parks publishes many notifications.
  select u.language, k.of_desk, coalesce(p.muted, false) as muted,
    coalesce((to_jsonb(p) ->> k.preference)::boolean, true) and (k.listed_when_muted or not coalesce(p.muted, false)) as wanted
  into receiver
  from public.users u join private.notification_types k on k.type = new.type
  left join public.notifications_preferences p on p.user_id = u.id
  where u.id = new.receiver_id;
  if receiver.wanted is not true then
    delete from public.notifications n where n.id = new.id;
    return null;
  end if;
  texts := private.format_notification(new, receiver.of_desk, receiver.language);
  update public.notifications n
  set title = texts.title, app_message = texts.message, push_message = texts.push, is_ready = true,
    seen_at = case when receiver.muted then now() end
  where n.id = new.id returning * into ready;
  if found and not receiver.muted then
    perform private.queue_pushes(ready);
    if new.type = 'deskDecision' then
      -- All decisions within a quarter of an hour are sent in one mail.
      perform private.add_job('desk-mail', 'decided ' || new.receiver_id,
        jsonb_build_object('user_id', new.receiver_id, 'decided_since', new.created_at), new.receiver_id, '7 days',
          new.created_at + interval '15 minutes', true);
    end if;
  end if;
  return null;
end
$$;
comment on function private.publish_notification is
  'Writes the messages and queues the pushes and the mail about a decision, or deletes what is muted; runs when the notifying transaction '
  'commits.';
create constraint trigger publish_notification after insert on public.notifications
  deferrable initially deferred for each row when (not new.is_ready) execute function private.publish_notification();

create function private.follow_language() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- GoTrue reads the language of its mails from raw_user_meta_data.
  update auth.users u set raw_user_meta_data = u.raw_user_meta_data || jsonb_build_object('language', new.language)
  where u.id = new.id;
  update public.notifications n set title = formatted.title, app_message = formatted.message, push_message = formatted.push
  from (
    select i.id, t.* from public.notifications i join private.notification_types k on k.type = i.type
    cross join lateral private.format_notification(i, k.of_desk, new.language) t
    where i.receiver_id = new.id and i.is_ready
    -- The app shows at most 200 notifications.
    order by i.created_at desc limit 200
  ) formatted
  where n.id = formatted.id;
  return null;
end
$$;
comment on function private.follow_language is 'Rewrites a user''s notifications when they change their language.';
create trigger follow_language after update of language on public.users
  for each row when (old.language <> new.language) execute function private.follow_language();

create function private.notify_of_friendship() returns trigger
language plpgsql security definer set search_path = '' as $$
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
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now()),
      data = n.data || '{"accepted": true}'
    where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  else
    -- The request or the friendship has ended, so the request can no longer be answered and neither user may see the other's
    -- visits.
    delete from public.notifications n
    where (n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest')
      or (n.type in ('friendThere', 'friendComing') and (n.sender_id, n.receiver_id) in ((asker, other), (other, asker)));
  end if;
  return null;
end
$$;
create trigger notify_of_friendship after insert or delete or update of status on private.friendships
  for each row execute function private.notify_of_friendship();

create function private.delete_notifications_on_block() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n
  where (n.sender_id = new.blocker and n.receiver_id = new.blocked) or (n.sender_id = new.blocked and n.receiver_id = new.blocker);
  return null;
end
$$;
create trigger delete_notifications_on_block after insert on public.blocks
  for each row execute function private.delete_notifications_on_block();

create function private.good_reasons(p_data jsonb, p_language public.language) returns text
language sql stable set search_path = '' as $$
  select string_agg(format(private.messages(p_language) #>> array['goodReasons', kind], p_data ->> 'temperature'), ' · ' order by place)
  from string_to_table(p_data ->> 'reasons', ' ') with ordinality r (kind, place)
$$;

create function private.notification_messages(
  p_type public.notification_type, p_language public.language, p_sender text, p_park text, p_meet_at timestamptz, p_accepted boolean,
    p_detail text,
  out title text, out message text, out push text
)
language plpgsql stable set search_path = '' as $$
declare
  texts jsonb := private.messages(p_language);
  pair jsonb := texts -> (p_type || case when p_type = 'parkInviteResponse' then case when p_accepted then '.accepted'
    else '.declined' end when p_type = 'dogCarers' then '.' || p_detail
    when p_type = 'friendComing' and p_meet_at is not null then '.at' else '' end);
begin
  title := pair ->> 0;
  message := format(pair ->> 1, private.isolate_direction(p_sender), private.isolate_direction(coalesce(p_park, '')),
    private.isolate_direction(coalesce(private.format_time(p_meet_at,
      texts ->> case private.park_day(p_meet_at) when private.park_day() then 'time_today' else 'time' end,
      texts -> 'months'), '')),
    texts #>> array['hazards', p_detail]);
  -- Pushes are sent through other companies, so pushes about presence contain no names.
  push := coalesce(pair ->> 2, message);
end
$$;

create function private.desk_message(
  p_type public.notification_type, p_language public.language, p_data jsonb, out title text, out message text
)
language plpgsql stable set search_path = '' as $$
declare
  texts jsonb := private.messages(p_language);
  reason text := texts ->> ('reason.' || (p_data ->> 'reason'));
  pair jsonb;
begin
  if p_type = 'deskDecision' then
    pair := texts -> ('decided.' || (p_data ->> 'type')
      || case p_data ->> 'approved' when 'true' then '.approved' when 'false' then '.rejected' else '' end);
    message := format(pair ->> 1, private.isolate_direction(coalesce(private.park_name((p_data ->> 'park_id')::bigint, p_language),
      '')), reason, texts #>> array['hazards', p_data ->> 'hazard'], private.isolate_direction(p_data ->> 'town'));
  elsif p_type = 'sanction' then
    pair := texts -> ('sanction.' || (p_data ->> 'sanction') || case when p_data ->> 'sanction' = 'limit' and p_data ->> 'until' is null
      then '.for_good' else '' end);
    message := format(pair ->> 1, reason, private.isolate_direction(coalesce(
      private.format_time((p_data ->> 'until')::timestamptz, texts ->> 'time', texts -> 'months'), '')));
  else
    pair := texts -> p_type::text;
    message := format(pair ->> 1, p_data ->> 'waiting', p_data ->> 'hours');
  end if;
  title := pair ->> 0;
end
$$;
comment on function private.desk_message is 'A notification about a decision of the desk, in the receiver''s language.';

create function private.format_notification(
  p_notification public.notifications, p_of_desk boolean, p_language public.language, out title text, out message text,
    out push text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  data jsonb := p_notification.data;
  sender text := (select u.name from public.users u where u.id = p_notification.sender_id);
begin
  if p_of_desk then
    select t.title, t.message, t.message into title, message, push from private.desk_message(p_notification.type, p_language, data) t;
  else
    select t.* into title, message, push from private.notification_messages(
      p_notification.type, p_language, coalesce(data ->> 'dog', private.good_reasons(data, p_language), sender),
      coalesce(private.park_name((data ->> 'park_id')::bigint, p_language), sender),
      coalesce(data ->> 'meet_at', data ->> case p_notification.type when 'friendComing' then 'arrives_at' else 'until' end)::timestamptz, (data ->> 'accepted')::boolean,
      coalesce(data ->> 'event', data ->> 'hazard')) t;
  end if;
end
$$;

create function private.notify(
  p_type public.notification_type, p_sender uuid, p_receiver uuid, p_data jsonb default '{}', p_source uuid default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  id uuid := gen_random_uuid();
  severity private.notification_severity;
begin
  if private.is_blocked_between(p_sender, p_receiver) then
    return false;
  end if;
  select case when h.is_severe then 'severe' else k.severity end into severity
  from private.notification_types k left join private.hazard_types() h on h.hazard::text = p_data ->> 'hazard' where k.type = p_type;
  if severity is not null and not private.use_receiver_quota(
    p_receiver, private.quota_source(p_receiver, coalesce(p_source, p_sender)), severity, id) then
    return false;
  end if;
  insert into public.notifications (id, type, sender_id, receiver_id, data) values (id, p_type, p_sender, p_receiver, p_data);
  return true;
end
$$;
comment on function private.notify is
  'Notifies one user unless a block or a quota forbids it, and returns whether it did. p_source is the user whose quota counts if the '
  'sender is secret.';

-- The caller can block and report users who have contacted the caller, even if they are hidden by now.
create function private.has_contacted_caller(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  -- Counts only what the other user sent, or what gave the caller's name to them. The caller's own requests do not count: the
  -- result would then reveal whether a user hides or has blocked the caller.
  select exists (
      select from private.friendships f
      where f.user_low = least(p_user_id, private.uid()) and f.user_high = greatest(p_user_id, private.uid()) and f.requester = p_user_id)
    or exists (select from private.declined_requests d where d.requester = p_user_id and d.receiver = private.uid())
    or exists (select from public.notifications n where n.sender_id = p_user_id and n.receiver_id = private.uid() and n.is_ready)
$$;
comment on function private.has_contacted_caller is 'Returns true if this user sent the caller a request, a response or an invite.';

create policy "users see their own notifications when ready" on public.notifications for select to authenticated
  using (receiver_id = (select auth.uid()) and is_ready);
create policy "users see their own preferences" on public.notifications_preferences for select to authenticated
  using (user_id = (select auth.uid()));
create policy "users set their own preferences" on public.notifications_preferences for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "users change their own preferences" on public.notifications_preferences for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.notifications as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));
create policy "nothing before the second factor" on public.notifications_preferences as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

alter publication supabase_realtime add table public.notifications;
-- Deletions are not published. Realtime sends them to every subscriber of a table, because policies cannot check a deleted row, so
-- the sender of a request would learn that it was declined.
alter publication supabase_realtime set (publish = 'insert, update');

create function public.mark_notification_read(notification_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now())
  where n.id = mark_notification_read.notification_id and n.receiver_id = private.uid() and n.is_ready
$$;

create function public.mark_all_notifications_as_read() returns void
language sql volatile security definer set search_path = '' as $$
  update public.notifications n set read_at = now(), seen_at = coalesce(n.seen_at, now())
  where n.receiver_id = private.uid() and n.is_ready and n.read_at is null
$$;

create function public.mark_all_notifications_as_seen() returns void
language sql volatile security definer set search_path = '' as $$
  update public.notifications n set seen_at = now()
  where n.receiver_id = private.uid() and n.is_ready and n.seen_at is null
$$;

grant execute on function
  public.mark_notification_read(uuid),
  public.mark_all_notifications_as_read(),
  public.mark_all_notifications_as_seen()
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('notifications: one year', 50, $$delete from public.notifications n where n.created_at < now() - interval '1 year'$$);

insert into private.exports (relation, part, statement) values
  ('public.notifications', 'notifications', $$select n.created_at, n.id::text, to_jsonb(n) - array['receiver_id', 'sender_id']
    from public.notifications n where n.receiver_id = $1 and n.is_ready$$);

insert into private.exports (relation, part, is_list, statement) values
  ('public.notifications_preferences', 'notification_preferences', false,
    $$select to_jsonb(p) - 'user_id' from public.notifications_preferences p where p.user_id = $1$$);
