-- Changes of the live counts carry no validator: it is as long as they are.
create or replace function public.live_counts(p_since integer default null, p_fresh boolean default false) returns json
language plpgsql stable security definer set search_path = ''
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
  answer text;
begin
  with present as (
    select c.park_id, sum(c.dog_count) as dogs
    from public.check_ins c where c.ended_at is null and c.counted and c.expires_at > moment group by c.park_id
  ), touched as (
    select c.park_id from public.check_ins c
    where since is null and c.ended_at is null and c.counted and c.expires_at > moment
    union
    select c.park_id from public.check_ins c
    where c.ended_at is null and c.counted and c.expires_at > since and (c.started_at > since or c.expires_at <= moment)
    union
    -- Bounded at both ends, so that the planner expects few.
    select c.park_id from public.check_ins c where c.ended_at > since and c.ended_at < moment + interval '1 minute' and c.counted
  ), counted as (
    select p.id, coalesce(n.dogs, 0) as dogs, p.id - coalesce(lag(p.id) over (order by p.id), 0) as step
    from touched t join public.parks p on p.id = t.park_id and p.status = 'approved'
    left join present n on n.park_id = p.id
    where since is not null or n.dogs > 0
  )
  select string_agg(c.step || ',' || c.dogs, ',' order by c.id) into dogs from counted c;

  with touched as (
    select l.park_id from private.live_reports l
    where l.ended_at is null and l.expires_at > coalesce(since, moment)
      and (since is null or l.reported_at > since or l.expires_at <= moment)
    union
    select l.park_id from private.live_reports l where l.ended_at > since
  )
  select string_agg(format('"%s":%s', p.id, coalesce((
      select json_agg(l.condition order by l.condition)
      from private.live_reports l where l.park_id = p.id and l.ended_at is null and l.expires_at > moment), '[]')), ',' order by p.id)
  into conditions
  from touched t join public.parks p on p.id = t.park_id and p.status = 'approved';

  answer := format('{"at":%s%s%s%s}',
    case when since is not null and dogs is null and conditions is null then p_since else slot end,
    case when since is null then ',"all":true' end,
    ',"dogs":[' || dogs || ']',
    ',"conditions":{' || conditions || '}');
  -- Changes are shorter than the validator that would spare them.
  perform set_config('response.headers', (
    jsonb_build_array(jsonb_build_object('Cache-Control', case when p_fresh then 'no-store' else 'public, max-age=0, s-maxage=3' end))
    || case when since is null then jsonb_build_array(jsonb_build_object('ETag', format('"%s"', left(md5(answer), 12)))) else '[]' end)::text, true);
  return answer::json;
end
$$;
