-- Notifications that a friend is at a park or coming. They are sent to friends who may come, if both users want
-- them, once per visit, and are deleted with the visit.

create function private.queue_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.notifications_preferences p where p.user_id = new.user_id and p.friend_there) then
    -- The job runs when the undo button of the app is gone. A later undo withdraws the notification.
    perform private.add_job('notify-of-arrival', new.id::text, jsonb_build_object('visit_id', new.id), new.user_id, '10 minutes',
      now() + interval '10 seconds');
  end if;
  return null;
end
$$;
create trigger queue_arrival after insert on public.check_ins
  for each row when (new.ended_at is null) execute function private.queue_arrival();

create function private.withdraw_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n
  where n.type in ('friendThere', 'friendComing') and n.sender_id = old.user_id and n.data ->> 'visit_id' = old.id::text;
  return null;
end
$$;
comment on function private.withdraw_arrival is
  'Deletes the notifications of a visit that has ended, so that no receiver keeps a history of visits.';
create trigger withdraw_arrival after delete or update of ended_at on public.check_ins
  for each row execute function private.withdraw_arrival();

create function private.may_come(p_user_id uuid, p_park_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.favourite_parks f where f.user_id = p_user_id and f.park_id = p_park_id)
    or exists (
      select from public.check_ins c
      where c.user_id = p_user_id and c.park_id = p_park_id and c.started_at > now() - interval '30 days' and c.type <> 'undone')
    or exists (
      select from private.meetings_of(p_user_id) m
      where m.park_id = p_park_id and coalesce(m.status, 'accepted') = 'accepted' and private.park_day(m.meet_at) = private.park_day())
    or exists (
      select from private.present x join public.parks near on near.id = x.park_id join public.parks p on p.id = p_park_id
      where x.user_id = p_user_id
        and private.metres_between(near.lat, near.long, p.lat, p.long) <= 3000)
$$;
comment on function private.may_come is
  'Returns whether a user is at a park within 3 km, has this park as a favourite, visited it within the last month, or has a meeting '
  'there today.';

create function private.may_know_of_visit(p_receiver uuid, p_visit_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.check_ins c
    join public.users u on u.id = c.user_id and not u.hidden
    join private.friendships f
      on f.user_low = least(c.user_id, p_receiver) and f.user_high = greatest(c.user_id, p_receiver) and f.status = 'accepted'
    join public.notifications_preferences mine on mine.user_id = p_receiver and mine.friend_there
    join public.notifications_preferences theirs on theirs.user_id = c.user_id and theirs.friend_there
    where c.id = p_visit_id and c.ended_at is null and c.expires_at > now())
$$;
comment on function private.may_know_of_visit is
  'Returns whether a user may be notified of a visit or plan: it is in progress, it is by a friend who is not hidden, and both '
  'users have turned on these notifications.';

create function private.withdraw_arrivals() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  who uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  delete from public.notifications n
  where n.type in ('friendThere', 'friendComing') and who in (n.sender_id, n.receiver_id)
    and not private.may_know_of_visit(n.receiver_id, (n.data ->> 'visit_id')::uuid);
  return null;
end
$$;
comment on function private.withdraw_arrivals is
  'Deletes the notifications of visits that a user may no longer know of, and their pushes, when a user hides or turns these '
  'notifications off.';
create trigger withdraw_arrivals after update of hidden on public.users
  for each row when (new.hidden and not old.hidden) execute function private.withdraw_arrivals('id');
create trigger withdraw_arrivals after update of friend_there on public.notifications_preferences
  for each row when (old.friend_there and not new.friend_there) execute function private.withdraw_arrivals('user_id');

create function private.notify_of_arrival(p_visit_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify(case friend.type when 'plan' then 'friendComing' else 'friendThere' end::public.notification_type,
    friend.visitor, friend.id, jsonb_build_object('park_id', friend.park_id, 'visit_id', p_visit_id, 'until', friend.expires_at,
      'arrives_at', friend.arrives_at))
  from (
    select f.id, c.type, c.user_id as visitor, c.park_id, c.expires_at, c.arrives_at
    from public.check_ins c cross join lateral (
      select case when s.user_low = c.user_id then s.user_high else s.user_low end as id
      from private.friendships s where c.user_id in (s.user_low, s.user_high)
    ) f
    where c.id = p_visit_id and private.may_know_of_visit(f.id, c.id) and private.may_come(f.id, c.park_id)
      and (c.type = 'plan' or not exists (select from private.present x where x.user_id = f.id and x.park_id = c.park_id))
    -- All jobs lock the quotas of receivers in this order, which prevents deadlocks.
    order by f.id
  ) friend
$$;

create function private.notify_of_arrivals() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('notify-of-arrival', 20) loop
    perform private.notify_of_arrival((job.payload ->> 'visit_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.notify_of_arrivals is
  'Drains the jobs notify-of-arrival. The host runs it when they are due; on Supabase, pg_cron runs it each minute.';
