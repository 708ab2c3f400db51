-- Pack times: weekly meetings at a park that are open to all. private.meetings_of (park_invites.sql) lists them with other
-- meetings.

create table private.pack_times (
  id uuid primary key default gen_random_uuid(),
  park_id bigint not null references public.parks (id) on delete cascade,
  host_id uuid references public.users (id) on delete set null,
  weekday smallint not null check (weekday between 0 and 6),
  starts time not null check (starts < '24:00' and extract(epoch from starts)::integer % 900 = 0),
  created_at timestamptz not null default now(),
  hidden_at timestamptz
);
comment on table private.pack_times is
  'Weekly meetings. There may be several for one park, weekday (0 is Sunday) and time, because users can join only meetings that they '
  'may see.';
comment on column private.pack_times.host_id is 'The user who made it; visible only to their friends.';
comment on column private.pack_times.hidden_at is 'When a moderator hid it.';
alter table private.pack_times enable row level security;

create table private.pack_time_members (
  pack_time_id uuid not null references private.pack_times (id) on delete cascade,
  user_id uuid not null references public.users (id) on delete cascade,
  joined_at timestamptz not null default now(),
  skipped timestamptz,
  primary key (pack_time_id, user_id)
);
comment on table private.pack_time_members is 'The users who come each week.';
comment on column private.pack_time_members.skipped is 'The one meeting that the user skips.';
alter table private.pack_time_members enable row level security;

create index on private.pack_times (host_id);
create index on private.pack_times (park_id, weekday, starts);
create index on private.pack_time_members (user_id);

-- Setting search_path would prevent PostgreSQL from inlining this function.
create function private.is_meeting_open(p_meet_at timestamptz) returns boolean
language sql stable as $$
  select p_meet_at > now() - interval '4 hours'
$$;
comment on function private.is_meeting_open is
  'Returns true if a meeting is in the future or may still be in progress. Until its end, invites are listed and can be answered.';

create function private.meeting_times(p_pack_time private.pack_times, p_since timestamptz) returns setof timestamptz
language sql stable as $$
  select m from generate_series(private.park_day(p_since), private.park_day() + 7, '1 day') d
  cross join lateral (select (d::date + p_pack_time.starts) at time zone private.time_zone() as m) meeting
  where extract(dow from d) = p_pack_time.weekday and m >= p_since
$$;
comment on function private.meeting_times is 'The times of the meeting from p_since up to the next one.';

create function private.next_meeting_time(p_pack_time private.pack_times) returns timestamptz
language sql stable as $$
  select min(m) from private.meeting_times(p_pack_time, now() - interval '1 day') m where private.is_meeting_open(m)
$$;

create function private.max_pack_times() returns integer language sql immutable set search_path = '' as $$ select 14 $$;
comment on function private.max_pack_times is
  'Maximum number of weekly meetings of one user, so that a few accounts cannot fill a park with invented meetings.';

create function private.limit_pack_times() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The lock is needed because two concurrent calls would not count each other.
  perform pg_advisory_xact_lock(hashtextextended('pack_times:' || new.user_id, 0));
  if (
    select count(*) from private.pack_time_members g where g.user_id = new.user_id and g.pack_time_id <> new.pack_time_id
  ) >= private.max_pack_times() then
    perform private.fail('too_many', 'Leave another weekly meeting first.');
  end if;
  return new;
end
$$;
create trigger limit_pack_times before insert on private.pack_time_members
  for each row execute function private.limit_pack_times();

create function private.pack_visits(p_pack_time private.pack_times) returns table (meet_at timestamptz, user_id uuid, dogs integer)
language sql stable security definer set search_path = '' as $$
  select m, c.user_id, max(c.dog_count)::integer
  from private.meeting_times(p_pack_time, private.day_start(now() - interval '28 days')) m
  join private.pack_time_members g on g.pack_time_id = p_pack_time.id
  join public.check_ins c on c.user_id = g.user_id and c.park_id = p_pack_time.park_id and c.counted
    and c.started_at < least(now(), m + interval '1 hour') and coalesce(c.ended_at, c.expires_at) > m - interval '15 minutes'
  group by 1, 2
$$;
comment on function private.pack_visits is 'For each meeting of the last four weeks, the members who were there and their number of dogs.';

create function private.sees_pack_time(p_pack_time private.pack_times) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_pack_time.hidden_at is null and not private.is_blocked_with(p_pack_time.host_id) and (
    exists (
      select from private.pack_time_members g
      where g.pack_time_id = p_pack_time.id and (g.user_id = private.uid() or g.user_id in (select private.visible_friend_ids())))
    or 3 <= (
      select count(*) from (
        select from private.pack_time_members g
        where g.pack_time_id = p_pack_time.id
          and (private.evidence_at(g.user_id, p_pack_time.park_id)).trust_level = 'regular_there'
        limit 3) come))
$$;
comment on function private.sees_pack_time is
  'Returns whether the caller may see a pack time. Its members and their friends may; everybody may once three regulars of this park '
  'come.';

create function private.require_pack_time(p_pack_time_id uuid) returns private.pack_times
language plpgsql stable security definer set search_path = '' as $$
declare
  pack private.pack_times;
begin
  select * into pack from private.pack_times t where t.id = p_pack_time_id;
  if pack.id is null or not private.sees_pack_time(pack) then
    perform private.fail('pack_time_not_found', 'This weekly meeting is gone.');
  end if;
  return pack;
end
$$;

create function public.make_pack_time(p_park_id bigint, p_weekday integer, p_starts time) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
  pack private.pack_times;
begin
  perform private.require_park(p_park_id);
  if p_weekday is null or p_weekday not between 0 and 6 or p_starts is null
    or p_starts >= '24:00' or extract(epoch from p_starts)::integer % 900 <> 0 then
    perform private.fail('invalid_input', 'Name a weekday from 0 (Sunday) to 6 and a quarter of an hour.');
  elsif not private.is_regular(me) then
    perform private.fail('regulars_only', 'Check in at parks on two days first.');
  end if;
  perform private.limit_action(me, 'make_pack_time');
  -- The lock is needed because two concurrent calls would not see each other's meeting.
  perform pg_advisory_xact_lock(hashtextextended(format('pack_time:%s:%s:%s', p_park_id, p_weekday, p_starts), 0));
  select * into pack from private.pack_times t
  where t.park_id = p_park_id and t.weekday = p_weekday and t.starts = p_starts and (t.host_id = me or private.sees_pack_time(t))
  order by t.host_id is distinct from me, t.created_at, t.id limit 1;
  if pack.hidden_at is not null then
    perform private.fail('pack_time_not_found', 'A moderator hid this weekly meeting.');
  elsif pack.id is null then
    insert into private.pack_times (park_id, host_id, weekday, starts) values (p_park_id, me, p_weekday, p_starts) returning * into pack;
  end if;
  insert into private.pack_time_members (pack_time_id, user_id) values (pack.id, me) on conflict do nothing;
  return pack.id;
end
$$;
comment on function public.make_pack_time is
  'Joins the weekly meeting at this time that the caller made or can see, or creates one, and returns its ID.';

create function public.respond_to_pack_time(p_pack_time_id uuid, p_comes boolean, p_skip timestamptz default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_age();
begin
  if p_comes then
    perform private.require_pack_time(p_pack_time_id);
    perform private.reject_limited(me);
    perform private.limit_rate('respond_to_pack_time', 50, '1 day');
    insert into private.pack_time_members as g (pack_time_id, user_id) values (p_pack_time_id, me)
    on conflict (pack_time_id, user_id) do update set skipped = null;
  elsif p_skip is not null then
    update private.pack_time_members g set skipped = p_skip where g.pack_time_id = p_pack_time_id and g.user_id = me;
  else
    delete from private.pack_time_members g where g.pack_time_id = p_pack_time_id and g.user_id = me;
  end if;
end
$$;
comment on function public.respond_to_pack_time is
  'Joins a weekly meeting and attends the next one, or skips the meeting at p_skip, or, with neither, leaves it. Safe to repeat.';

create function public.park_pack_times(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'weekday', t.weekday, 'starts', to_char(t.starts, 'HH24:MI'),
    'meet_at', private.next_meeting_time(t), 'dogs', usual.dogs, 'joined', mine.user_id is not null,
    'skips', coalesce(mine.skipped = private.next_meeting_time(t), false), 'friends', coalesce(g.friends, '[]'))
    order by t.weekday, t.starts), '[]')
  from private.pack_times t
  left join private.pack_time_members mine on mine.pack_time_id = t.id and mine.user_id = private.uid()
  left join lateral (
    -- Excludes meetings in progress, which would reveal who comes each week, and meetings with fewer than three users.
    with visits as (
      select v.* from private.pack_visits(t) v where not private.is_meeting_open(v.meet_at) and private.is_regular(v.user_id)
    )
    select round(avg(w.dogs))::integer as dogs
    from (select sum(v.dogs) as dogs from visits v group by v.meet_at) w
    where (select count(distinct v.user_id) from visits v) >= 3
  ) usual on true
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'made_it', u.id is not distinct from t.host_id)
      order by u.name, u.id) as friends
    from private.pack_time_members o join public.users u on u.id = o.user_id
    where o.pack_time_id = t.id and o.user_id in (select private.visible_friend_ids())
  ) g on true
  where t.park_id = p_park_id and private.sees_pack_time(t)
$$;
comment on function public.park_pack_times is
  'The weekly meetings at a park that the caller may see: [{id, weekday, starts, meet_at, dogs, joined, skips, friends: [{id, name, '
  'picture, made_it}]}]. dogs is the usual number, null unless at least three regulars were there.';

grant execute on function public.park_pack_times(bigint) to anon, authenticated;

grant execute on function
  public.make_pack_time(bigint, integer, time),
  public.respond_to_pack_time(uuid, boolean, timestamptz)
to authenticated;

insert into private.retention (name, run_order, statement) values
  ('pack times: four weeks that nobody came', 50, $$delete from private.pack_times t
    where private.park_day(t.created_at) < private.park_day() - 28 and not exists (select from private.pack_visits(t))$$);

insert into private.exports (relation, part, statement) values
  ('private.pack_time_members', 'pack_times',
    $$select g.joined_at, g.pack_time_id::text, jsonb_build_object('park', private.park_name(t.park_id, $2), 'weekday', t.weekday,
      'starts', t.starts, 'made_by_me', t.host_id is not distinct from $1, 'joined_at', g.joined_at, 'skipped', g.skipped)
    from private.pack_time_members g join private.pack_times t on t.id = g.pack_time_id where g.user_id = $1$$),
  ('private.pack_times', 'pack_times', null);
