-- How many dogs are usually at a park: anonymous hourly counts, which are stored longer than the visits from which they are
-- computed, and the cards that show them.

create table private.busy_hours (
  park_id bigint not null references public.parks (id) on delete cascade,
  day date not null,
  hour smallint not null check (hour between 0 and 23),
  dogs numeric(8, 2) not null,
  primary key (park_id, day, hour) include (dogs)
);
comment on table private.busy_hours is
  'The number of dogs at a park during one hour of one day, in the park''s local time. It does not identify anybody.';
alter table private.busy_hours enable row level security;

create function private.count_visit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  last timestamptz := coalesce(new.ended_at, old.ended_at);
  -- If a visit is reopened, its dogs are subtracted. They are counted again when the visit ends.
  dogs integer := case when new.ended_at is null then -new.dog_count else new.dog_count end;
begin
  if last - new.started_at < private.min_visit_duration() then
    return null;
  end if;
  -- Each hour counts the dogs in proportion to the part of the hour that they were at the park.
  insert into private.busy_hours as b (park_id, day, hour, dogs)
  select new.park_id, slot::date, extract(hour from slot),
    dogs * extract(epoch from least(visit.until, slot + interval '1 hour') - greatest(visit.since, slot)) / 3600
  from (select private.park_time(new.started_at) as since, private.park_time(last) as until) visit,
    generate_series(date_trunc('hour', visit.since), visit.until, interval '1 hour') slot
  where visit.until > greatest(visit.since, slot) and dogs <> 0
  order by slot
  on conflict (park_id, day, hour) do update set dogs = b.dogs + excluded.dogs;
  return null;
end
$$;
create trigger count_visit after update of ended_at on public.check_ins
  for each row when ((old.ended_at is null) <> (new.ended_at is null) and new.counted) execute function private.count_visit();

create function private.usual_hours(p_park_ids bigint[])
returns table (park_id bigint, day_type text, hour integer, dogs numeric, samples integer)
language sql stable as $$
  with calendar as materialized (
    -- The last eight weeks without today. For each day: the number of weekdays and weekend days from that day on.
    select d.day, d.type, 1::bigint << d.ago as as_bit,
      count(*) filter (where d.type = 'weekday') over since as weekdays, count(*)
        filter (where d.type = 'weekend') over since as weekend_days
    from (
      select ago, today - ago as day, case when private.is_weekend(today - ago) then 'weekend' else 'weekday' end as type
      from (select private.park_day()) clock (today), generate_series(1, 56) ago
    ) d
    window since as (order by d.day desc)
  ), parts as materialized (
    select p.id as park_id, part from public.parks p cross join lateral private.park_parts(p.id) part
    where p.id = any (p_park_ids) and p.status = 'approved'
  ), asked as (
    -- Averages start at the first day with data.
    select known.park_id as id, c.weekdays, c.weekend_days
    from (
      select s.park_id, min(begun.day) as first_day
      from parts s cross join lateral (select min(b.day) as day from private.busy_hours b where b.park_id = s.part) begun
      group by s.park_id
    ) known
    left join calendar c on c.day = greatest(known.first_day, (select min(day) from calendar))
  ), sums as (
    select s.park_id, c.type, b.hour, sum(b.dogs) as dogs,
      -- If a park and one merged into it both have data for an hour of a day, the hour counts once.
      bit_count(bit_or(c.as_bit)::bit(64))::integer as samples
    from parts s join private.busy_hours b on b.park_id = s.part join calendar c on c.day = b.day
    where b.day >= (select min(day) from calendar)
    group by s.park_id, c.type, b.hour
  )
  select a.id, k.type, h.hour,
    coalesce(round(s.dogs / case k.type when 'weekday' then a.weekdays else a.weekend_days end, 2), 0), coalesce(s.samples, 0)
  from asked a
  cross join (values ('weekday'), ('weekend')) k (type)
  cross join generate_series(0, 23) h (hour)
  left join sums s on s.park_id = a.id and s.type = k.type and s.hour = h.hour
$$;
comment on function private.usual_hours is
  'The average number of dogs at each of these parks by hour of a weekday and a weekend day; samples is the number of days with dogs at '
  'that hour.';

create function public.park_cards(p_park_ids bigint[]) returns json
-- The generic plan is used, because planning takes as long as running the statement.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  -- `limit` is used instead of an array slice: a slice of a nested array limits only the outer dimension, so a caller could request
  -- all parks.
  asked bigint[] := array(select id from unnest(p_park_ids) id limit 20);
begin
  -- The hours change once a day and photos rarely, so a shared cache may serve the response to all callers that request the same
  -- parks.
  perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=60"}]', true);
  return (
    select coalesce(json_object_agg(p.id, json_build_object('photo', p.primary_photo, 'hours', usual.hours)), '{}')
    from (
      select u.park_id, json_agg(json_build_array(u.dogs, u.samples) order by u.day_type, u.hour) as hours
      from private.usual_hours(asked) u
      group by u.park_id
    ) usual join public.parks p on p.id = usual.park_id
  );
end
$$;
comment on function public.park_cards is
  'The details on cards of up to 20 parks that the published list lacks: {park id: {photo: its path in the bucket parks or null, hours: '
  '48 times [dogs, samples]}}, 24 hours of an average weekday, then of a weekend day; samples is the number of days with dogs at that '
  'hour. The same for every caller, so shared caches may store it for 60 seconds.';

grant execute on function public.park_cards(bigint[]) to anon, authenticated;

insert into private.retention (name, run_order, statement) values
  ('busy hours: 180 days', 50, $$delete from private.busy_hours b where b.day < current_date - 180$$);
