-- Park invites: users invite friends to a park at a time. The friends respond, and can change their response until the meeting is
-- over.

create type public.invite_status as enum ('pending', 'accepted', 'declined');

create table public.park_invites (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  sender_id uuid not null references public.users (id) on delete cascade,
  receiver_id uuid not null references public.users (id) on delete cascade,
  meet_at timestamptz not null,
  status public.invite_status not null default 'pending',
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  check (sender_id <> receiver_id),
  -- In this column order, the index also serves lookups of a meeting's guests.
  unique (sender_id, park_id, meet_at, receiver_id)
);
comment on table public.park_invites is 'Invites; visible to sender and receiver.';
comment on column public.park_invites.changed_at is 'When the response last changed; before the first response, when the invite was made.';
alter table public.park_invites enable row level security;

grant select on public.park_invites to authenticated;

create index on public.park_invites (receiver_id);
create index on public.park_invites (park_id);

create function private.notify_of_invite() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.notify('parkInvite', new.sender_id, new.receiver_id,
      jsonb_build_object('park_id', new.park_id, 'invite_id', new.id, 'meet_at', new.meet_at));
  else
    -- In the inviter's list, a changed response replaces the earlier one.
    delete from public.notifications n
    where n.sender_id = new.receiver_id and n.receiver_id = new.sender_id and n.type = 'parkInviteResponse'
      and n.data ->> 'invite_id' = new.id::text;
    perform private.notify('parkInviteResponse', new.receiver_id, new.sender_id,
      jsonb_build_object('park_id', new.park_id, 'invite_id', new.id, 'meet_at', new.meet_at, 'accepted', new.status = 'accepted'));
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now()),
      data = n.data || jsonb_build_object('accepted', new.status = 'accepted')
    where n.sender_id = new.sender_id and n.receiver_id = new.receiver_id and n.type = 'parkInvite'
      and n.data ->> 'invite_id' = new.id::text;
  end if;
  return null;
end
$$;
create trigger notify_of_invite after insert or update of status on public.park_invites
  for each row execute function private.notify_of_invite();

create function private.schedule_known_hazards() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.schedule_hazard_notification(r.id, new.id, new.meet_at) from private.live_reports r
  where r.park_id = new.park_id and r.verified_at is not null and r.ended_at is null and r.expires_at > now()
    and private.is_meeting_open(new.meet_at);
  return null;
end
$$;
comment on function private.schedule_known_hazards is
  'Schedules the notification about known hazards at the park when an invite is accepted.';
create trigger schedule_known_hazards after update of status, park_id on public.park_invites
  for each row when (new.status = 'accepted') execute function private.schedule_known_hazards();

-- Runs when a friendship ends, for example because one of the users blocks the other.
create function private.withdraw_invites() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.park_invites i
  where (i.sender_id = old.user_low and i.receiver_id = old.user_high) or (i.sender_id = old.user_high and i.receiver_id = old.user_low);
  delete from public.notifications n
  where n.type in ('parkInvite', 'parkInviteResponse')
    and ((n.sender_id = old.user_low and n.receiver_id = old.user_high) or (n.sender_id = old.user_high and n.receiver_id = old.user_low));
  return null;
end
$$;
create trigger withdraw_invites after delete on private.friendships
  for each row when (old.status = 'accepted') execute function private.withdraw_invites();

create function private.meetings_of(p_user_id uuid)
returns table (
  park_id bigint, meet_at timestamptz, host_id uuid, invite_id uuid, status public.invite_status, changed_at timestamptz, pack_time_id uuid
)
language sql stable security definer set search_path = '' rows 10 as $$
  (select i.park_id, i.meet_at, i.sender_id,
    (array_agg(i.id) filter (where i.receiver_id = p_user_id))[1],
    (array_agg(i.status) filter (where i.receiver_id = p_user_id))[1],
    -- Responses of guests do not change the host's meeting, so it keeps the time of the first invite.
    coalesce(max(i.changed_at) filter (where i.receiver_id = p_user_id), min(i.created_at)), null::uuid
  from public.park_invites i
  where (i.sender_id = p_user_id or i.receiver_id = p_user_id) and private.is_meeting_open(i.meet_at)
  group by i.park_id, i.meet_at, i.sender_id
  order by i.meet_at, i.park_id, i.sender_id
  limit 100)
  union all
  select t.park_id, n.meet_at, t.host_id, null, case when g.skipped = n.meet_at then 'declined' else 'accepted' end::public.invite_status,
    g.joined_at, t.id
  from private.pack_time_members g join private.pack_times t on t.id = g.pack_time_id
  -- A meeting that is in progress, and the next one.
  cross join lateral (
    select private.next_meeting_time(t) as meet_at union select min(m) from private.meeting_times(t, now()) m
  ) n
  where g.user_id = p_user_id and t.hidden_at is null
$$;
comment on function private.meetings_of is
  'The next 100 meetings that a user hosts (without status) or is invited to, and of each pack time that they joined the next '
  'one and one that has begun.';

create policy "invites are seen by their two sides" on public.park_invites for select to authenticated
  using ((select auth.uid()) in (sender_id, receiver_id));
create policy "nothing before the second factor" on public.park_invites as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.invite_to_park(p_park_id bigint, p_friend_ids uuid[], p_meet_at timestamptz, p_key uuid default null) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  result jsonb := private.claim_idempotency_key(p_key, 'invite_to_park');
begin
  if result is not null then
    return result;
  end if;
  perform private.require_park(p_park_id);
  if coalesce(cardinality(p_friend_ids), 0) not between 1 and 50
    or p_meet_at is null or p_meet_at not between now() - interval '15 minutes' and now() + interval '30 days' then
    perform private.fail('invalid_input', 'Invite 1 to 50 friends, for a time within the next 30 days.');
  end if;
  -- Waits while one of the friendships is being ended. Pairs are locked in a fixed order, so that calls cannot deadlock.
  perform private.lock_pair(asked.friend)
  from (select distinct f as friend from unnest(p_friend_ids) f where f is not null order by f) asked;
  perform private.limit_action(me, 'invite_to_park', array(select f from private.friend_ids() f where f = any (p_friend_ids)));
  with made as (
    insert into public.park_invites (park_id, sender_id, receiver_id, meet_at)
    select p_park_id, me, f, p_meet_at from private.friend_ids() f where f = any (p_friend_ids)
    on conflict do nothing
    returning id
  )
  select coalesce(jsonb_agg(id), '[]') into result from made;
  return private.store_idempotent_result(p_key, result);
end
$$;
comment on function public.invite_to_park is
  'Invites friends and returns the IDs of the new invites. Users who are not friends are skipped.';

create function public.respond_to_invite(p_invite_id uuid, p_accept boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  answer public.invite_status := case when p_accept then 'accepted'::public.invite_status else 'declined' end;
  invite public.park_invites;
begin
  select * into invite from public.park_invites i where i.id = p_invite_id and i.receiver_id = me for update;
  if invite.id is null then
    perform private.fail('invite_not_found', 'This invite is gone.');
  elsif invite.status <> answer then
    if not private.is_meeting_open(invite.meet_at) then
      perform private.fail('invite_expired', 'The time of this invite has passed.');
    end if;
    -- The limit exists because each changed response notifies the inviter.
    perform private.limit_pair(me, invite.sender_id, 'respond_to_invite', 20, '1 day');
    update public.park_invites i set status = answer, changed_at = now() where i.id = p_invite_id;
  end if;
  return answer;
end
$$;
comment on function public.respond_to_invite is 'Returns the new status; a response can be changed until the meeting is over.';

create function public.call_off_meeting(p_park_id bigint, p_meet_at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
  invite public.park_invites;
  notified integer := 0;
begin
  for invite in
    with withdrawn as (
      delete from public.park_invites i where i.sender_id = me and i.park_id = p_park_id and i.meet_at = p_meet_at returning i.*
    )
    -- Sorted by receiver. All jobs lock the quotas of receivers in this order, which prevents deadlocks.
    select * from withdrawn order by receiver_id
  loop
    delete from public.notifications n
    where n.type in ('parkInvite', 'parkInviteResponse') and n.data ->> 'invite_id' = invite.id::text
      and ((n.sender_id = me and n.receiver_id = invite.receiver_id) or (n.sender_id = invite.receiver_id and n.receiver_id = me));
    if invite.status = 'accepted' and private.is_meeting_open(invite.meet_at) then
      perform private.notify('parkInviteCancelled', me, invite.receiver_id,
        jsonb_build_object('park_id', invite.park_id, 'meet_at', invite.meet_at));
      notified := notified + 1;
    end if;
  end loop;
  return notified;
end
$$;
comment on function public.call_off_meeting is
  'Withdraws the caller''s invites to a park at a time, notifies the friends who had accepted, and returns their number.';

create function public.my_meetings() returns table (
  park_id bigint, park_name text, meet_at timestamptz, host_id uuid, host_name text, invite_id uuid, status public.invite_status,
  guests jsonb, more_coming integer, host_picture text, pack_time_id uuid
)
language sql stable security definer set search_path = '' as $$
  -- Evaluated once. Otherwise these functions would run for each guest of each meeting.
  with me as materialized (
    select private.uid() as id, private.my_language() as language
  )
  select m.park_id, n.name, m.meet_at, h.id, h.name, m.invite_id, m.status,
    coalesce(g.guests, '[]'), coalesce(g.more_coming, 0)::integer, h.picture, m.pack_time_id
  from me cross join lateral private.meetings_of(me.id) m
  left join public.users h on h.id = m.host_id
    and (m.pack_time_id is null or h.id = me.id or h.id in (select private.visible_friend_ids()))
  left join lateral private.named_park(m.park_id, me.language) n on true
  -- The guest list reveals future presence, so for users who are hidden or not friends, a guest only sees their number.
  left join lateral (
    select
      jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'status', i.status)
        order by i.status = 'accepted' desc, i.status, u.name, u.id)
        filter (where m.status is null or (i.status = 'accepted' and u.id in (select private.visible_friend_ids()))) as guests,
      count(*) filter (where m.status is not null and i.status = 'accepted'
        -- Blocked users are counted like strangers, because a lower number would reveal the block.
        and u.id not in (select private.visible_friend_ids())) as more_coming
    from (
      select i.receiver_id as id, i.status from public.park_invites i
      where m.pack_time_id is null and i.sender_id = m.host_id and i.park_id = m.park_id and i.meet_at = m.meet_at
      union all
      select o.user_id, 'accepted' from private.pack_time_members o
      where o.pack_time_id = m.pack_time_id and o.skipped is distinct from m.meet_at
    ) i join public.users u on u.id = i.id and u.id <> me.id
  ) g on true
  order by m.meet_at, m.park_id, m.host_id, m.pack_time_id
$$;
comment on function public.my_meetings is 'The caller''s meetings (private.meetings_of) with their guests: [{id, name, picture, status}].';

grant execute on function
  public.invite_to_park(bigint, uuid[], timestamptz, uuid),
  public.respond_to_invite(uuid, boolean),
  public.call_off_meeting(bigint, timestamptz),
  public.my_meetings()
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('invites: 90 days after the meeting', 50, $$delete from public.park_invites i where i.meet_at < now() - interval '90 days'$$);

insert into private.exports (relation, part, statement) values
  ('public.park_invites', 'invites',
    $$select i.created_at, i.own_id, jsonb_build_object('park', private.park_name(i.park_id, $2), 'meet_at', i.meet_at, 'status',
      i.status,
      'sent_by_me', i.sender_id = $1, 'name', o.name, 'created_at', i.created_at, 'changed_at', i.changed_at)
    from (
      select *, x.id::text as own_id from public.park_invites x
      where $1 in (x.sender_id, x.receiver_id)
      order by x.created_at, own_id
    ) i join public.users o on o.id = case when i.sender_id = $1 then i.receiver_id else i.sender_id end$$);
