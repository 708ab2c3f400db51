-- What is going on at parks: counts for everybody, names for friends only. One statement answers a park's page.

-- Types ----------------------------------------------------------------------------------------------------------

create type public.busy_level as enum ('quiet', 'medium', 'busy');

-- Functions ------------------------------------------------------------------------------------------------------

create function private.busy_level(p_dogs bigint) returns public.busy_level
language sql immutable
as $$
  select case when p_dogs >= 7 then 'busy' when p_dogs >= 3 then 'medium' else 'quiet' end::public.busy_level
$$;

create function private.friends_at(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  -- Hidden users are only ever counted, even among friends.
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', u.id, 'name', u.name, 'since', c.started_at,
    'dogs', coalesce((
      select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) order by d.name)
      from public.check_in_dogs cd join public.dogs d on d.id = cd.dog_id and d.deleted_at is null
      where cd.check_in_id = c.id), '[]')
  ) order by c.started_at, u.id), '[]')
  from public.check_ins c join public.users u on u.id = c.user_id
  where c.park_id = p_park_id and c.ended_at is null and c.expires_at > now()
    and not u.hidden and u.id in (select private.friend_ids())
$$;

grant execute on function private.busy_level(bigint) to anon, authenticated;

-- Views ----------------------------------------------------------------------------------------------------------

create view public.park_live with (security_barrier) as
  -- One union of all sources, so that a filter on park_id reaches each of the three.
  select source.park_id,
    coalesce(sum(source.dogs), 0)::integer as dogs_now,
    coalesce(sum(source.people), 0)::integer as people_now,
    private.busy_level(coalesce(sum(source.dogs), 0)::bigint) as busy_level,
    max(source.average_rank) as average_rank,
    coalesce(sum(source.review_count), 0)::integer as review_count,
    coalesce(max(source.conditions), '{}') as conditions
  from (
    select c.park_id, sum(c.dog_count)::bigint as dogs, count(*) as people,
      null::numeric as average_rank, null::integer as review_count, null::public.park_condition[] as conditions
    from public.check_ins c where c.ended_at is null and c.expires_at > now() group by c.park_id
    union all
    select r.park_id, null, null, r.average_rank, r.review_count, null
    from private.park_ratings r where r.review_count > 0
    union all
    select l.park_id, null, null, null, null, array_agg(l.condition order by l.condition)
    from private.live_reports l where l.ended_at is null and l.expires_at > now() group by l.park_id
  ) source
  join public.parks p on p.id = source.park_id and p.status = 'approved'
  group by source.park_id;
comment on view public.park_live is 'Counts, rating and conditions of parks that have any; a park that is missing here is empty and unrated.';
comment on column public.park_live.park_id is 'never null';
comment on column public.park_live.dogs_now is 'never null';
comment on column public.park_live.people_now is 'never null';
comment on column public.park_live.busy_level is 'quiet up to 2 dogs, busy from 7; never null';
comment on column public.park_live.average_rank is 'Null without reviews.';
comment on column public.park_live.review_count is 'never null';
comment on column public.park_live.conditions is 'never null';

grant select on public.park_live to anon, authenticated;

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.park_status(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'dogs_now', there.dogs,
    'people_now', there.people,
    'busy_level', private.busy_level(there.dogs),
    'average_rank', r.average_rank,
    'review_count', coalesce(r.review_count, 0),
    'rank_distribution', coalesce(r.ranks, '{0,0,0,0,0}'),
    'friends_here', case when me is null then '[]' else private.friends_at(p.id) end,
    'conditions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.condition) from public.park_conditions c where c.park_id = p.id), '[]'),
    'my_check_in', (
      select jsonb_build_object('check_in_id', c.id, 'park_id', c.park_id, 'started_at', c.started_at, 'expires_at', c.expires_at, 'dog_count', c.dog_count)
      from public.check_ins c
      where c.user_id = me and c.park_id = p.id and c.ended_at is null and c.expires_at > now()),
    'is_favourite', exists (select from public.favourite_parks f where f.user_id = me and f.park_id = p.id),
    'my_review_id', (select v.id from public.reviews v where v.author = me and v.park_id = p.id)
  )
  from private.uid() me
  join public.parks p on p.id = p_park_id and p.status = 'approved'
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (
    select coalesce(sum(c.dog_count), 0)::bigint as dogs, count(*) as people
    from public.check_ins c where c.park_id = p.id and c.ended_at is null and c.expires_at > now()
  ) there
$$;
comment on function public.park_status is 'Everything about a park that changes by the minute, as one object; null for a park that is not there.';

create function public.park_visitors(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('people_now', count(*), 'dogs_now', coalesce(sum(c.dog_count), 0),
    'friends', private.friends_at(p_park_id))
  from public.check_ins c join public.parks p on p.id = c.park_id and p.status = 'approved'
  where c.park_id = p_park_id and c.ended_at is null and c.expires_at > now()
$$;

grant execute on function public.park_status(bigint), public.park_visitors(bigint) to anon, authenticated;
