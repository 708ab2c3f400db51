-- A friend is at a park, or coming: told to friends who may come, where both sides want it, once for a visit, and for no longer than it.

create function private.queue_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.notifications_preferences p where p.user_id = new.user_id and p.friend_there) then
    -- After the toast with its undo; a later undo takes the notification back.
    perform private.add_job('tell-of-arrival', new.id::text, jsonb_build_object('visit_id', new.id), new.user_id, '10 minutes',
      now() + interval '10 seconds');
  end if;
  return null;
end
$$;
create trigger queue_arrival after insert on public.check_ins
  for each row when (new.ended_at is null) execute function private.queue_arrival();

create function private.forget_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.notifications n
  where n.type in ('friendThere', 'friendComing') and n.sender_id = old.user_id and n.data ->> 'visit_id' = old.id::text;
  return null;
end
$$;
comment on function private.forget_arrival is 'What was told of a visit goes with it, so that nobody has a history of it.';
create trigger forget_arrival after delete or update of ended_at on public.check_ins
  for each row execute function private.forget_arrival();

create function private.may_come(p_user_id uuid, p_park_id bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.favourite_parks f where f.user_id = p_user_id and f.park_id = p_park_id)
    or exists (
      select from public.check_ins c
      where c.user_id = p_user_id and c.park_id = p_park_id and c.started_at > now() - interval '30 days' and c.kind <> 'undone')
    or exists (
      select from private.meetings_of(p_user_id) m
      where m.park_id = p_park_id and coalesce(m.status, 'accepted') = 'accepted' and private.park_day(m.meet_at) = private.park_day())
    or exists (
      select from private.present x join public.parks near on near.id = x.park_id join public.parks p on p.id = p_park_id
      where x.user_id = p_user_id
        and private.metres_between(near.lat, near.long, p.lat, p.long) <= 3000)
$$;
comment on function private.may_come is
  'Whether a person is at a park within 3 km, or this one is a favourite, was visited within a month, or is where they meet today.';

create function private.tell_of_arrival(p_visit_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  visit public.check_ins;
begin
  select c.* into visit
  from public.check_ins c join public.users u on u.id = c.user_id and not u.hidden
  join public.notifications_preferences p on p.user_id = c.user_id and p.friend_there
  where c.id = p_visit_id and c.ended_at is null and c.expires_at > now();
  perform private.notify(case visit.kind when 'plan' then 'friendComing' else 'friendThere' end::public.notification_type,
    visit.user_id, friend.id, jsonb_build_object('park_id', visit.park_id, 'visit_id', visit.id, 'until', visit.expires_at))
  from (
    select f.id
    from (
      select case when s.user_low = visit.user_id then s.user_high else s.user_low end as id
      from private.friendships s where visit.user_id in (s.user_low, s.user_high) and s.status = 'accepted'
    ) f
    join public.notifications_preferences p on p.user_id = f.id and p.friend_there
    where private.may_come(f.id, visit.park_id)
      and (visit.kind = 'plan' or not exists (select from private.present x where x.user_id = f.id and x.park_id = visit.park_id))
    -- All jobs lock the quotas of receivers in this order.
    order by f.id
  ) friend;
end
$$;

create function private.tell_of_arrivals() returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  job record;
begin
  for job in select * from private.claim_jobs('tell-of-arrival', 20) loop
    perform private.tell_of_arrival((job.payload ->> 'visit_id')::uuid);
    perform private.finish_job(job.id, job.lease);
  end loop;
end
$$;
comment on function private.tell_of_arrivals is
  'Drains the jobs tell-of-arrival: the host does it when they are due, on Supabase pg_cron each minute.';
