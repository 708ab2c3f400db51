-- Facts of parks under OpenStreetMap's keys, with who said them and when; the published lists carry them.

create function private.park_fact_kinds() returns jsonb
language sql immutable set search_path = ''
as $$
  select '{
    "fenced": ["yes", "no"],
    "fence:height": {"from": 0.3, "to": 5},
    "double_gate": ["yes", "no"],
    "small_dog": ["separate", "shared", "no"],
    "drinking_water": ["yes", "no"],
    "lit": ["yes", "no"],
    "bench": ["yes", "no"],
    "bin": ["yes", "no"],
    "excrement_bags": ["yes", "no"],
    "dog_agility": ["yes", "no"],
    "parking": ["yes", "no"],
    "wheelchair": ["yes", "limited", "no"],
    "fee": ["yes", "no"],
    "dog": ["unleashed", "leashed", "no"],
    "shelter_distance": {"from": 0, "to": 9999},
    "opening_hours": 255,
    "dog:conditional": 255
  }'::jsonb
$$;
comment on function private.park_fact_kinds is 'The keys of parks.facts: their values, else the bounds of a number, else the most characters. A test compares it with shared/park-facts.ts.';

create function private.are_park_facts(p_facts jsonb) returns boolean
language sql immutable set search_path = ''
as $$
  select p_facts = '{}' or (jsonb_typeof(p_facts) = 'object' and not exists (
    select from jsonb_each(case when jsonb_typeof(p_facts) = 'object' then p_facts else '{}' end) f
    left join jsonb_each(private.park_fact_kinds()) k on k.key = f.key
    where not coalesce(jsonb_typeof(f.value) = 'string' and case jsonb_typeof(k.value)
      when 'array' then k.value @> f.value
      when 'object' then
        case when f.value #>> '{}' ~ '^\d{1,4}(\.\d)?$'
          then (f.value #>> '{}')::numeric between (k.value ->> 'from')::numeric and (k.value ->> 'to')::numeric end
      when 'number' then char_length(f.value #>> '{}') between 1 and (k.value #>> '{}')::integer and f.value #>> '{}' !~ '[[:cntrl:]]'
    end, false)
  ))
$$;
comment on function private.are_park_facts is 'Whether these are facts as parks.facts may hold them.';

-- The check of the table runs with the rights of whoever updates.
grant execute on function private.park_fact_kinds(), private.are_park_facts(jsonb) to authenticated, service_role;

alter table public.parks
  add column facts jsonb not null default '{}',
  add column fact_sources jsonb not null default '{}',
  add constraint parks_facts_check check (private.are_park_facts(facts)),
  add constraint parks_fact_sources_check check (jsonb_typeof(fact_sources) = 'object' and octet_length(fact_sources::text) <= 4096);
comment on column public.parks.facts is 'What is known beside the columns above, by OpenStreetMap''s keys: {"lit": "yes"}. What is missing is unknown.';
comment on column public.parks.fact_sources is 'Who said a fact, and on which day, where it was not the park''s own source on its source_date: {"lit": ["people", "2026-11-22"]}. By the keys of facts, and the columns size, materials, shade and has_facilities.';
comment on column private.park_list_changes.due_at is 'Ratings and facts change all day, and each new file is downloaded by everybody: they wait for the next change of a park, or an hour.';

create or replace function private.mark_park_list_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'parks' then
    if not exists (
      select from after a join before b using (id)
      where (a.status, a.lat, a.long) is distinct from (b.status, b.lat, b.long)
    ) then
      -- Facts come one by one, and wait like ratings.
      if exists (
        select from after a join before b using (id)
        where a.status = 'approved' and (a.facts, a.size_label, a.materials, a.shade, a.has_facilities)
          is distinct from (b.facts, b.size_label, b.materials, b.shade, b.has_facilities)
      ) then
        insert into private.park_list_changes (due_at) values (now() + interval '1 hour') on conflict do nothing;
      end if;
      return null;
    end if;
  elsif tg_op in ('INSERT', 'UPDATE') then
    if not exists (select from changed c join public.parks p on p.id = c.park_id where p.status = 'approved') then
      return null;
    end if;
  elsif tg_op = 'DELETE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into private.park_list_changes default values on conflict (transaction) do update set due_at = excluded.due_at;
  perform pg_notify('park_list', '');
  return null;
end
$$;

create function private.set_park_fact(p_park_id bigint, p_key text, p_value text, p_source text, p_day date default (now() at time zone 'Asia/Jerusalem')::date) returns boolean
language sql volatile security definer set search_path = ''
as $$
  with said as (
    update public.parks p set
      facts = case when p_value is null then p.facts - p_key else p.facts || jsonb_build_object(p_key, p_value) end,
      fact_sources = case when p_value is null then p.fact_sources - p_key else p.fact_sources || jsonb_build_object(p_key, jsonb_build_array(p_source, p_day)) end
    where p.id = p_park_id
    returning p.id
  ) select exists (select from said)
$$;
comment on function private.set_park_fact is 'Sets a fact of a park, or makes it unknown where the value is null; a wrong key or value is refused by the table. Who may call it checks first. False where there is no such park.';

create or replace function public.parks_for_publishing(p_language public.language) returns json
language sql stable security definer set search_path = ''
as $$
  -- Ordered by city and street: neighbours in the file repeat each other, so it compresses well.
  select coalesce(json_agg(json_strip_nulls(json_build_object(
    'id', p.id, 'name', t.name, 'city', t.city, 'address', t.address,
    'location', json_build_object('lat', round(p.lat::numeric, 5)::float8, 'long', round(p.long::numeric, 5)::float8),
    'rank', round(r.average_rank, 1)::float8,
    'size', p.size_label, 'ground', nullif(p.materials, '{}'), 'shade', p.shade::float8, 'facilities', p.has_facilities,
    'facts', nullif(p.facts, '{}')
  )) order by t.city, t.address, t.name, p.id), '[]')
  from public.parks p
  left join public.park_translations own on own.park_id = p.id and own.language = p_language
  left join public.park_translations english on english.park_id = p.id and english.language = 'en' and own.park_id is null
  left join lateral (
    select x.* from public.park_translations x where x.park_id = p.id order by x.language limit 1
  ) any_other on own.park_id is null and english.park_id is null
  left join private.park_ratings r on r.park_id = p.id
  cross join lateral (select
    coalesce(own.name, english.name, any_other.name) as name,
    coalesce(own.city, english.city, any_other.city) as city,
    coalesce(own.address, english.address, any_other.address) as address
  ) t
  where p.status = 'approved' and t.name is not null
$$;

-- Phones get the facts with the next list.
insert into private.park_list_changes default values on conflict (transaction) do update set due_at = excluded.due_at;
