-- What cards show of parks in sight comes in one answer that caches share: the photo and the usual hours.

-- check_ins.sql
drop function public.parks_busy_hours(bigint[]);

create function private.usual_hours(p_park_ids bigint[])
returns table (park_id bigint, day_kind text, hour integer, dogs numeric, samples integer)
language sql stable
as $$
  with calendar as materialized (
    -- The last eight weeks without today, each day with how many there are of both kinds from it on; the weekend is Friday and
    -- Saturday.
    select d.day, d.kind,
      count(*) filter (where d.kind = 'weekday') over since as weekdays, count(*) filter (where d.kind = 'weekend') over since as weekend_days
    from (
      select today - ago as day, case when extract(dow from today - ago) in (5, 6) then 'weekend' else 'weekday' end as kind
      from (select (now() at time zone 'Asia/Jerusalem')::date) clock (today), generate_series(1, 56) ago
    ) d
    window since as (order by d.day desc)
  ), asked as (
    -- Counted from the first day with data.
    select p.id, c.weekdays, c.weekend_days
    from public.parks p
    cross join lateral (select min(b.day) as first_day from private.busy_hours b where b.park_id = p.id) known
    left join calendar c on c.day = greatest(known.first_day, (select min(day) from calendar))
    where p.id = any (p_park_ids) and p.status = 'approved'
  ), sums as (
    select b.park_id, c.kind, b.hour, sum(b.dogs) as dogs, count(*)::integer as samples
    from private.busy_hours b join calendar c on c.day = b.day
    where b.park_id = any (p_park_ids) and b.day >= (select min(day) from calendar)
    group by b.park_id, c.kind, b.hour
  )
  select a.id, k.kind, h.hour,
    coalesce(round(s.dogs / case k.kind when 'weekday' then a.weekdays else a.weekend_days end, 2), 0), coalesce(s.samples, 0)
  from asked a
  cross join (values ('weekday'), ('weekend')) k (kind)
  cross join generate_series(0, 23) h (hour)
  left join sums s on s.park_id = a.id and s.kind = k.kind and s.hour = h.hour
$$;
comment on function private.usual_hours is 'Dogs at each of these parks by hour on an average weekday and weekend day; samples is how many days had dogs at that hour.';

create or replace function public.park_busy_hours(p_park_id bigint)
returns table (day_kind text, hour integer, dogs numeric, samples integer)
language sql stable security definer set search_path = ''
as $$
  select u.day_kind, u.hour, u.dogs, u.samples from private.usual_hours(array[p_park_id]) u order by u.day_kind, u.hour
$$;
comment on function public.park_busy_hours is 'For apps before 0.2: the usual hours of one park; newer ones ask park_cards. samples is how many days had dogs at that hour.';

create function public.park_cards(p_park_ids bigint[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  -- The hours change by the day, and a photo seldom: whoever looks at the same parks may be answered by a cache.
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=60"}]', true);
  return (
    select coalesce(json_object_agg(p.id, json_build_object('photo', p.primary_photo, 'hours', usual.hours)), '{}')
    from (
      select u.park_id, json_agg(json_build_array(u.dogs, u.samples) order by u.day_kind, u.hour) as hours
      from private.usual_hours(p_park_ids[:20]) u
      group by u.park_id
    ) usual join public.parks p on p.id = usual.park_id
  );
end
$$;
comment on function public.park_cards is 'What cards show of up to 20 parks beside the published list: {park id: {photo: its object in bucket parks or null, hours: 48 times [dogs, samples]}}, 24 hours of an average weekday, then of a weekend day; samples is how many days had dogs at that hour. The same for every caller, so shared caches may hand it out for 60 seconds.';

grant execute on function public.park_cards(bigint[]) to anon, authenticated;
