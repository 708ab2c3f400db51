-- Meetings: answers can be changed and invites withdrawn, everybody has a list of them; and the own sessions, one of which can be ended.

alter type public.notification_type add value 'parkInviteCancelled';
comment on column public.notifications.data is 'park_id, invite_id, meet_at, report_id and hazard, where the type has them; accepted: the answer, once there is one.';

create or replace function private.texts(p_language public.language) returns jsonb
language plpgsql immutable set search_path = ''
as $texts$
begin
  -- The name of a user who gave none; the time of a meeting, for to_char; and the title and message of each notification,
  -- for format(): %1$s is the sender, %2$s the park, %3$s the time and %4$s the hazard.
  -- The pattern of a time has a word in right-to-left languages: digits alone would be laid out from left to right.
  return case p_language::text
    when 'he' then $he${
      "new_user": "מהלהקה",
      "time": "FMDD.FMMM \"בשעה\" HH24:MI",
      "friendRequest": ["בקשת חברות חדשה", "בקשת חברות מ־%1$s"],
      "friendApproval": ["בקשת החברות אושרה", "עכשיו אתם חברים של %1$s"],
      "parkInvite": ["הזמנה לגינת כלבים", "הזמנה מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.accepted": ["אישור הגעה", "נפגשים! אישור מאת %1$s: %2$s, %3$s"],
      "parkInviteResponse.declined": ["לא הפעם", "הפעם בלי %1$s: %2$s, %3$s"],
      "parkInviteCancelled": ["המפגש בוטל", "המפגש עם %1$s בוטל: %2$s, %3$s"],
      "hazard": ["זהירות בגינת הכלבים", "%2$s: %4$s"],
      "hazards": {"poison": "דיווח על פיתיון מורעל", "glass": "דיווח על שברי זכוכית", "caterpillars": "דיווח על קרציות או זחלי תהלוכה", "awns": "דיווח על מלענים",
        "looseDog": "דיווח על כלב תוקפני משוחרר", "brokenFence": "דיווח על גדר פרוצה", "noWater": "דיווח שאין מים"}
    }$he$
    when 'ar' then $ar${
      "new_user": "من رفاقنا",
      "time": "FMDD/FMMM \"الساعة\" HH24:MI",
      "friendRequest": ["طلب صداقة جديد", "وصلكم طلب صداقة من %1$s"],
      "friendApproval": ["تم قبول طلب الصداقة", "أصبحتم أنتم و%1$s أصدقاء"],
      "parkInvite": ["دعوة إلى حديقة الكلاب", "دعوة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.accepted": ["تم قبول الدعوة", "نلتقي هناك! ردّ بالموافقة من %1$s: %2$s، %3$s"],
      "parkInviteResponse.declined": ["ليس هذه المرة", "اعتذار عن الدعوة من %1$s: %2$s، %3$s"],
      "parkInviteCancelled": ["أُلغي اللقاء", "أُلغي اللقاء مع %1$s: %2$s، %3$s"],
      "hazard": ["انتبهوا في حديقة الكلاب", "%2$s: %4$s"],
      "hazards": {"poison": "بلاغ عن طُعم مسموم", "glass": "بلاغ عن زجاج مكسور", "caterpillars": "بلاغ عن قراد أو يرقات لاسعة", "awns": "بلاغ عن سفا النباتات",
        "looseDog": "بلاغ عن كلب شرس طليق", "brokenFence": "بلاغ عن سياج مكسور", "noWater": "بلاغ عن انقطاع الماء"}
    }$ar$
    else $en${
      "new_user": "From the pack",
      "time": "FMDD Mon, HH24:MI",
      "friendRequest": ["New friend request", "%1$s wants to be your friend"],
      "friendApproval": ["Friend request accepted", "You and %1$s are now friends"],
      "parkInvite": ["Meet at the park?", "%1$s invites you to %2$s, %3$s"],
      "parkInviteResponse.accepted": ["See you at the park", "%1$s is coming to %2$s, %3$s"],
      "parkInviteResponse.declined": ["Not this time", "%1$s cannot come to %2$s, %3$s"],
      "parkInviteCancelled": ["The meeting is off", "%1$s called off %2$s, %3$s"],
      "hazard": ["Take care at the dog park", "%2$s: %4$s"],
      "hazards": {"poison": "poison bait reported", "glass": "broken glass reported", "caterpillars": "ticks or caterpillars reported", "awns": "awns reported",
        "looseDog": "aggressive loose dog reported", "brokenFence": "broken fence reported", "noWater": "no water reported"}
    }$en$
  end::jsonb;
end
$texts$;
comment on function private.texts is 'What the database says in a language, as one object with the same keys for each language.';

create or replace function private.notify_of_friendship() returns trigger
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
    update public.notifications n set read_at = coalesce(n.read_at, now()), seen_at = coalesce(n.seen_at, now()),
      data = n.data || '{"accepted": true}'
    where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  else
    -- Removed or declined: there is nothing to answer any more.
    delete from public.notifications n where n.sender_id = asker and n.receiver_id = other and n.type = 'friendRequest';
  end if;
  return null;
end
$$;

create or replace function private.notify_of_invite() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.notify('parkInvite', new.sender_id, new.receiver_id,
      jsonb_build_object('park_id', new.park_id, 'invite_id', new.id, 'meet_at', new.meet_at));
  else
    -- An answer that was changed replaces the earlier one in the list of whoever invited.
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

create function private.is_meeting_open(p_meet_at timestamptz) returns boolean
language sql stable set search_path = ''
as $$
  select p_meet_at > now() - interval '4 hours'
$$;
comment on function private.is_meeting_open is 'Whether a meeting is still ahead or may be going on: until then invites are listed and answered.';

create or replace function public.respond_to_invite(p_invite_id uuid, p_accept boolean) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
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
    -- Each change of mind is told to whoever invited.
    perform private.limit_pair(me, invite.sender_id, 'respond_to_invite', 20, '1 day');
    update public.park_invites i set status = answer where i.id = p_invite_id;
  end if;
  return answer;
end
$$;
comment on function public.respond_to_invite is 'The status afterwards; an answer may be changed until the meeting is over.';

create function public.call_off_meeting(p_park_id bigint, p_meet_at timestamptz) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
  invite public.park_invites;
  told integer := 0;
begin
  for invite in
    delete from public.park_invites i where i.sender_id = me and i.park_id = p_park_id and i.meet_at = p_meet_at returning i.*
  loop
    delete from public.notifications n
    where n.type in ('parkInvite', 'parkInviteResponse') and n.data ->> 'invite_id' = invite.id::text
      and ((n.sender_id = me and n.receiver_id = invite.receiver_id) or (n.sender_id = invite.receiver_id and n.receiver_id = me));
    if invite.status = 'accepted' and private.is_meeting_open(invite.meet_at) then
      perform private.notify('parkInviteCancelled', me, invite.receiver_id,
        jsonb_build_object('park_id', invite.park_id, 'meet_at', invite.meet_at));
      told := told + 1;
    end if;
  end loop;
  return told;
end
$$;
comment on function public.call_off_meeting is 'Withdraws the caller''s invites to a park at a time; how many friends wanted to come and are told.';

create function public.my_meetings() returns table (
  park_id bigint, park_name text, meet_at timestamptz, host_id uuid, host_name text, invite_id uuid, status public.invite_status,
  guests jsonb, more_coming integer
)
language sql stable security definer set search_path = ''
as $$
  with meetings as (
    select i.park_id, i.meet_at, i.sender_id as host_id,
      (array_agg(i.id) filter (where i.receiver_id = private.uid()))[1] as invite_id,
      (array_agg(i.status) filter (where i.receiver_id = private.uid()))[1] as status
    from public.park_invites i
    where (i.sender_id = private.uid() or i.receiver_id = private.uid()) and private.is_meeting_open(i.meet_at)
    group by i.park_id, i.meet_at, i.sender_id
    order by i.meet_at, i.park_id, i.sender_id
    limit 100
  )
  select m.park_id, private.park_name(m.park_id, private.my_language()), m.meet_at, m.host_id, h.name, m.invite_id, m.status,
    coalesce(g.guests, '[]'), coalesce(g.more_coming, 0)::integer
  from meetings m
  join public.users h on h.id = m.host_id
  -- Who comes is presence to be: of people who are no friends of the caller, a guest learns only how many.
  left join lateral (
    select
      jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'status', i.status) order by i.status = 'accepted' desc, i.status, u.name, u.id)
        filter (where m.host_id = private.uid() or (i.status = 'accepted' and u.id in (select private.friend_ids()))) as guests,
      count(*) filter (where m.host_id <> private.uid() and i.status = 'accepted'
        and u.id not in (select private.friend_ids()) and u.id not in (select private.blocked_ids())) as more_coming
    from public.park_invites i join public.users u on u.id = i.receiver_id
    where i.sender_id = m.host_id and i.park_id = m.park_id and i.meet_at = m.meet_at and u.id <> private.uid()
  ) g on true
  order by m.meet_at, m.park_id, m.host_id
$$;
comment on function public.my_meetings is 'Meetings to come that the caller hosts (without invite_id and status) or is invited to, soonest first, at most 100; guests: [{id, name, picture, status}].';

grant execute on function public.call_off_meeting(bigint, timestamptz), public.my_meetings() to authenticated;

create function public.my_sessions() returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.created_at, s.updated_at, left(s.user_agent, 300), s.id::text = coalesce(auth.jwt() ->> 'session_id', '')
  from auth.sessions s
  where s.user_id = private.uid() and coalesce(s.not_after > now(), true)
  order by 5 desc, s.updated_at desc, s.id
  limit 100
$$;
comment on function public.my_sessions is 'Where the caller is logged in: this session first, then by last use (told when a token is renewed, about hourly); at most 100.';

create function public.end_my_session(p_session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  me uuid := private.require_user();
begin
  delete from auth.sessions s where s.id = p_session_id and s.user_id = me;
  return found;
end
$$;
comment on function public.end_my_session is 'Logs one device of the caller out, pushes included; false where there is no such session of theirs.';

grant execute on function public.my_sessions(), public.end_my_session(uuid) to authenticated;

-- What was answered before is an answer in the list, too.
update public.notifications n set data = n.data || jsonb_build_object('accepted', i.status = 'accepted')
from public.park_invites i
where n.type = 'parkInvite' and n.data ->> 'invite_id' = i.id::text and i.status <> 'pending';
update public.notifications n set data = n.data || '{"accepted": true}'
from private.friendships f
where n.type = 'friendRequest' and f.status = 'accepted'
  and f.user_low = least(n.sender_id, n.receiver_id) and f.user_high = greatest(n.sender_id, n.receiver_id);
