-- The guests of a meeting are found by its place and time: before, all invites of its host were read for each meeting.

alter table public.park_invites
  drop constraint park_invites_sender_id_receiver_id_park_id_meet_at_key,
  add unique (sender_id, park_id, meet_at, receiver_id);

create or replace function public.my_meetings() returns table (
  park_id bigint, park_name text, meet_at timestamptz, host_id uuid, host_name text, invite_id uuid, status public.invite_status,
  guests jsonb, more_coming integer, host_picture text
)
language sql stable security definer set search_path = ''
as $$
  -- Asked once: these functions would otherwise run for each guest of each meeting.
  with me as materialized (
    select private.uid() as id, private.my_language() as language
  )
  select m.park_id, n.name, m.meet_at, m.host_id, h.name, m.invite_id, m.status,
    coalesce(g.guests, '[]'), coalesce(g.more_coming, 0)::integer, h.picture
  from me cross join lateral private.meetings_of(me.id) m
  join public.users h on h.id = m.host_id
  left join lateral private.named_park(m.park_id, me.language) n on true
  -- Who comes is presence to be: of people who hide or are no friends of the caller, a guest learns only how many.
  left join lateral (
    select
      jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'status', i.status) order by i.status = 'accepted' desc, i.status, u.name, u.id)
        filter (where m.host_id = me.id or (i.status = 'accepted' and not u.hidden and u.id in (select private.friend_ids()))) as guests,
      count(*) filter (where m.host_id <> me.id and i.status = 'accepted'
        and (u.hidden or u.id not in (select private.friend_ids())) and u.id not in (select private.blocked_ids())) as more_coming
    from public.park_invites i join public.users u on u.id = i.receiver_id
    where i.sender_id = m.host_id and i.park_id = m.park_id and i.meet_at = m.meet_at and u.id <> me.id
  ) g on true
  order by m.meet_at, m.park_id, m.host_id
$$;
