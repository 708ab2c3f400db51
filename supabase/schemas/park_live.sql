-- The live state of parks: everybody sees counts, and only friends see names. One statement returns the state for a park's page.

create type public.busy_level as enum ('quiet', 'medium', 'busy');

create function private.busy_level(p_dogs bigint) returns public.busy_level
language sql immutable as $$
  select case when p_dogs >= 7 then 'busy' when p_dogs >= 3 then 'medium' else 'quiet' end::public.busy_level
$$;

create function private.crowd(p_count bigint) returns text
language sql immutable as $$
  select case when p_count >= 15 then 'many' when p_count >= 10 then 'several' when p_count >= 7 then 'few' end
$$;
comment on function private.crowd is
  'A description of how many users are at a park, because a number next to that of the dogs would reveal whose dogs they are. Null below '
  'seven, because four may be accounts of one person.';

create function private.friends_there(p_park_id bigint default null) returns table (friend jsonb)
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', u.id, 'name', u.name, 'picture', u.picture, 'park_id', v.park_id, 'since', v.started_at,
    'dogs', coalesce((
      select jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'photo', d.photo) order by d.name)
      from public.check_in_dogs cd join public.dogs d on d.id = cd.dog_id and d.deleted_at is null
      -- Excludes dogs whose owner the caller may not see, because the photo's path contains the owner's ID.
      where cd.check_in_id = v.id and (d.owner = v.user_id or private.may_see(d.owner))), '[]'))
  from private.visible_friend_ids() f (id)
  join private.present v on v.user_id = f.id and (p_park_id is null or v.park_id = p_park_id)
  join public.users u on u.id = f.id
  join public.parks p on p.id = v.park_id and p.status = 'approved'
  order by v.started_at, u.id
$$;
comment on function private.friends_there is
  'The caller''s friends who are at any park now, or at the given park, with the dogs they brought.';

create function public.live_counts(p_since integer default null, p_fresh boolean default false) returns json
-- The generic plan is used, because planning takes as long as running the statement.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  asked_at timestamptz := now();
  -- All callers within the same three seconds get the same slot. Their next requests are then identical and can share a cached
  -- response.
  slot integer := floor(extract(epoch from asked_at) / 3);
  -- Changes of the last ten seconds are sent twice. A change becomes visible when its transaction commits, which may be a statement
  -- timeout (8 s) after its timestamp.
  since timestamptz := case when p_since between slot - 400 and slot
    then to_timestamp(p_since * 3::double precision) - interval '10 seconds' end;
  dogs json;
  conditions json;
  hazards json;
  answer json;
begin
  -- Clients poll this for a whole country, so it must be fast: the status of parks is checked once for all aggregated rows, by
  -- reading only the few parks that are not approved.
  with visits as (
    select c.park_id, c.dog_count, greatest(c.started_at, c.changed_at) > since as changed
    from private.present c where c.counted
    union all
    select c.park_id, 0, true from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > since
      and c.expires_at <= asked_at
    union all
    -- Both ends of the range are given, here and below, so that the planner expects few rows.
    select c.park_id, 0, true from public.check_ins c where c.ended_at > since and c.ended_at < asked_at + interval '1 minute'
      and (c.counted or c.type = 'undone')
  ), told as (
    select v.park_id, sum(v.dog_count) as dogs from visits v group by v.park_id
    having case when since is null then sum(v.dog_count) > 0 else bool_or(v.changed) end
  ), counted as (
    select t.park_id, t.dogs, t.park_id - coalesce(lag(t.park_id) over (order by t.park_id), 0) as step
    from told t where t.park_id <> all (array(
      select p.id from public.parks p where p.status <> 'approved' and p.id = any (array(select x.park_id from told x))))
  )
  select json_agg(pair.value order by c.park_id, pair.place) into dogs
  from counted c cross join unnest(array[c.step, c.dogs]) with ordinality pair (value, place);

  with reports as materialized (
    select l.park_id, l.condition, l.hazard, null::public.notice_type as notice, l.verified_at is not null as verified,
      greatest(l.reported_at, l.verified_at, l.changed_at) > since as changed
    from private.live_reports l where l.ended_at is null and l.expires_at > asked_at
    union all
    select l.park_id, null, null, null, null, true from private.live_reports l where l.ended_at is null and l.expires_at > since
      and l.expires_at <= asked_at
    union all
    select l.park_id, null, null, null, null, true from private.live_reports l where l.ended_at > since
      and l.ended_at < asked_at + interval '1 minute'
    union all
    select n.park_id, null, null, n.type, null, bool_or(greatest(n.starts_at, n.updated_at) > since) from private.park_notices n
    where n.type in ('closed', 'sprayed') and n.withdrawn_at is null and n.starts_at <= asked_at and n.ends_at > asked_at
    group by n.park_id, n.type
    union all
    select n.park_id, null, null, null, null, true from private.park_notices n
    where n.ends_at > since and (n.ends_at <= asked_at or n.withdrawn_at > since)
  ), told as (
    select r.park_id, coalesce(json_agg(r.said) filter (where r.said is not null), '[]') as conditions,
      coalesce(json_object_agg(r.hazard, r.verified) filter (where r.hazard is not null), '{}') as hazards,
      bool_or(r.said is not null) as has_conditions, bool_or(r.hazard is not null) as has_hazards
    -- Rows are sorted once for all parks instead of twice per park.
    from (
      select x.*, coalesce(x.condition::text, x.notice::text) as said from reports x
      where (since is null or x.park_id in (select y.park_id from reports y where y.changed))
        and x.park_id <> all (array(
          select p.id from public.parks p where p.status <> 'approved' and p.id = any (array(select y.park_id from reports y))))
      order by x.park_id, x.notice, x.condition, x.hazard
    ) r
    group by r.park_id
  )
  select json_object_agg(t.park_id, t.conditions order by t.park_id) filter (where since is not null or t.has_conditions),
    json_object_agg(t.park_id, t.hazards order by t.park_id) filter (where since is not null or t.has_hazards)
  into conditions, hazards from told t;

  -- This function also removes the spaces that PostgreSQL writes after colons.
  answer := json_strip_nulls(json_build_object(
    'at', case when since is not null and dogs is null and conditions is null then p_since else slot end,
    'all', case when since is null then true end,
    'dogs', dogs,
    'conditions', conditions,
    'hazards', hazards));
  -- A list of changes is shorter than the ETag with which a client could avoid downloading it, so it has none.
  perform set_config('response.headers', (
    jsonb_build_array(jsonb_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end))
    || case when since is null then jsonb_build_array(jsonb_build_object('ETag', format('"%s"', left(md5(answer::text), 12))))
      else '[]' end)::text, true);
  return answer;
end
$$;
comment on function public.live_counts is
  'Dogs now, conditions (and closed and sprayed, if a town says so) and hazards: {at, all?, dogs: [step to the next park id, dogs, …], '
  'conditions: {park id: […]}, hazards: {park id: {hazard: whether it is verified}}}. With the last at as p_since only the parks that '
  'changed; otherwise all parks with data (all is true). The same for every caller, so shared caches may store it for 3 seconds; not '
  'with p_fresh.';

create function public.friends_now() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(f.friend), '[]') from private.friends_there() f
$$;
comment on function public.friends_now is
  'Where the caller''s friends are now: [{id, name, picture, park_id, since, dogs: [{id, name, photo}]}].';

create function public.park_status(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'dogs_now', there.dogs,
    'people', private.crowd(there.users),
    'busy_level', private.busy_level(there.dogs),
    'average_rank', r.average_rank,
    'review_count', coalesce(r.review_count, 0),
    'rank_distribution', coalesce(r.ranks, '{0,0,0,0,0}'),
    'friends_here', case when me is null then '[]' else (select coalesce(jsonb_agg(f.friend), '[]') from private.friends_there(p.id) f) end,
    'conditions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.condition) from public.park_conditions c where c.park_id = p.id), '[]'),
    'hazards', coalesce((
      select jsonb_agg(to_jsonb(h) order by h.cleared_at is not null, h.verified desc, h.hazard) from public.park_hazards h
        where h.park_id = p.id), '[]'),
    'notices', private.notices_of(p.id),
    'disputed_facts', private.disputed_facts(p.id),
    'is_favourite', exists (select from public.favourite_parks f where f.user_id = me and f.park_id = p.id),
    'my_photos', (
      select coalesce(jsonb_agg(f.path order by f.path), '[]') from private.photo_uploaders u join public.park_photos f on f.path = u.path
      where u.user_id = me and f.park_id = p.id),
    'my_review_id', (select v.id from public.reviews v where v.author = me and v.park_id = p.id),
    'been_here', me is not null and (select e.is_present or e.has_stayed from private.evidence_at(me, p.id) e)
  )
  from private.uid() me
  join public.parks p on p.id = p_park_id and p.status = 'approved'
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (
    select coalesce(sum(c.dog_count), 0)::bigint as dogs, count(*) as users
    from private.present c where c.park_id = p.id and c.counted
  ) there
$$;
comment on function public.park_status is 'The frequently changing state of a park as one object; null if the park does not exist.';

grant execute on function
  public.live_counts(integer, boolean),
  public.park_status(bigint)
to anon, authenticated;

grant execute on function public.friends_now() to authenticated;
