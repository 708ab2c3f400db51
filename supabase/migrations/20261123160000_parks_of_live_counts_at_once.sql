-- Live counts look up all their parks at once.

create or replace function public.live_counts(p_since integer default null, p_fresh boolean default false) returns json
-- To plan it anew for each moment takes as long as to run it.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  moment timestamptz := now();
  -- Whoever asks within the same three seconds goes on from the same slot, so that the next questions are the same, too.
  slot integer := floor(extract(epoch from moment) / 3);
  -- Ten seconds are told twice: a change is seen when its transaction commits, at most a statement timeout (8 s) after the
  -- moment that it carries.
  since timestamptz := case when p_since between slot - 400 and slot
    then to_timestamp(p_since * 3::double precision) - interval '10 seconds' end;
  dogs text;
  conditions text;
  hazards text;
  answer text;
begin
  -- This is asked all day, of a whole country: all parks that have something are looked up at once, after it is summed up, and
  -- among the few that are not approved.
  with visits as (
    select c.park_id, c.dog_count, c.started_at > since as changed
    from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > moment
    union all
    select c.park_id, 0, true from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > since and c.expires_at <= moment
    union all
    -- Bounded at both ends, here and below, so that the planner expects few.
    select c.park_id, 0, true from public.check_ins c where c.ended_at > since and c.ended_at < moment + interval '1 minute' and c.counted
  ), told as (
    select v.park_id, sum(v.dog_count) as dogs from visits v group by v.park_id
    having case when since is null then sum(v.dog_count) > 0 else bool_or(v.changed) end
  ), counted as (
    select t.park_id, t.dogs, t.park_id - coalesce(lag(t.park_id) over (order by t.park_id), 0) as step
    from told t where t.park_id <> all (array(
      select p.id from public.parks p where p.status <> 'approved' and p.id = any (array(select x.park_id from told x))))
  )
  select string_agg(c.step || ',' || c.dogs, ',' order by c.park_id) into dogs from counted c;

  with reports as materialized (
    select l.park_id, l.condition, l.hazard, l.verified_at is not null as verified, l.reported_at > since or l.verified_at > since as changed
    from private.live_reports l where l.ended_at is null and l.expires_at > moment
    union all
    select l.park_id, null, null, null, true from private.live_reports l where l.ended_at is null and l.expires_at > since and l.expires_at <= moment
    union all
    select l.park_id, null, null, null, true from private.live_reports l where l.ended_at > since and l.ended_at < moment + interval '1 minute'
  ), told as (
    select r.park_id, coalesce(string_agg('"' || r.condition || '"', ','), '') as conditions,
      coalesce(string_agg('"' || r.hazard || '":' || r.verified, ','), '') as hazards
    -- Sorted once for all parks, instead of twice for each.
    from (
      select * from reports x
      where (since is null or x.park_id in (select y.park_id from reports y where y.changed))
        and x.park_id <> all (array(
          select p.id from public.parks p where p.status <> 'approved' and p.id = any (array(select y.park_id from reports y))))
      order by x.park_id, x.condition, x.hazard
    ) r
    group by r.park_id
  )
  select string_agg('"' || t.park_id || '":[' || t.conditions || ']', ',' order by t.park_id) filter (where since is not null or t.conditions <> ''),
    string_agg('"' || t.park_id || '":{' || t.hazards || '}', ',' order by t.park_id) filter (where since is not null or t.hazards <> '')
  into conditions, hazards from told t;

  answer := format('{"at":%s%s%s%s%s}',
    case when since is not null and dogs is null and conditions is null then p_since else slot end,
    case when since is null then ',"all":true' end,
    ',"dogs":[' || dogs || ']',
    ',"conditions":{' || conditions || '}',
    ',"hazards":{' || hazards || '}');
  -- Changes are shorter than the validator that would spare them.
  perform set_config('response.headers', (
    jsonb_build_array(jsonb_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end))
    || case when since is null then jsonb_build_array(jsonb_build_object('ETag', format('"%s"', left(md5(answer), 12)))) else '[]' end)::text, true);
  return answer::json;
end
$$;
