-- The statements of match-parks.ts and write-parks.ts, each below a line with its name. They stage, match, compare and write parks.

-- statement "stage": temporary tables, which other sessions neither see nor wait for
set work_mem = '64MB';
create or replace function pg_temp.source_key(source text) returns text language sql immutable
  -- The characters to remove are listed, because the class of letters depends on the database's locale.
  return regexp_replace(lower(source), '[[:space:][:punct:]]+', '', 'g');
create or replace function pg_temp.metres(lat double precision, long double precision, lat2 double precision, long2 double precision)
  returns double precision language sql immutable
  -- The formula is also correct across the antimeridian.
  return 111195 * sqrt((lat - lat2) ^ 2 + ((180 - abs(180 - abs(long - long2))) * cos(radians(lat))) ^ 2);
create or replace function pg_temp.cell_y(lat double precision) returns integer language sql immutable
  return floor(lat * 1000)::integer;
create or replace function pg_temp.cell_x(long double precision, offset_x integer default 0) returns integer language sql immutable
  return (floor((long + 180) * 1000)::integer + offset_x + 360000) % 360000;
create or replace function pg_temp.value_text(value jsonb) returns text language sql immutable
  return case when jsonb_typeof(value) = 'array' then array_to_string(array(select jsonb_array_elements_text(value)), ',')
    else value #>> '{}' end;
create temp table staged_rows (number integer, park jsonb);
create temp table candidates (number integer, id bigint, rank double precision);
create temp table reviews (number integer primary key, park_id bigint not null, reason text not null, metres double precision not null);
create temp table joined (number integer primary key, park_id bigint not null unique);
create temp table known as
  select p.id, p.source, p.source_ref, pg_temp.source_key(p.source) as key, p.lat, p.long, p.status, false as taken,
    (select array_agg(distinct private.fold_text(t.name)) from public.park_translations t where t.park_id = p.id) as names,
    '{}'::text[] as own_names
  from public.parks p;
create index on known (id);
create index on known (source_ref);
create index on known (pg_temp.cell_y(lat), pg_temp.cell_x(long));
analyze known;

-- statement "read staged"
create temp table staged as
  select s.number, r.*, pg_temp.source_key(r.source) as key, s.park -> 'texts' as texts, null::bigint as park_id,
    r.source_ref ~ '^(node|way|relation)/\d+$' as has_osm_id,
    array(select distinct private.fold_text(t.value ->> 'name') from jsonb_each(s.park -> 'texts') t) as names, '{}'::text[] as own_names
  from staged_rows s, jsonb_to_record(s.park) as r (source text, source_ref text, lat double precision, long double precision);
create index on staged (number);
analyze staged_rows;
analyze staged;
-- Names that occur only once in the file and only once among the known parks of a source. Only such names can match parks that are
-- far apart.
create temp table single_names as
  select name from staged s cross join unnest(s.names) name group by name having count(*) = 1;
update staged s set own_names = found.names
from (
  select x.number, array_agg(name) as names from staged x cross join unnest(x.names) name join single_names using (name) group by x.number
) found where found.number = s.number;
update known k set own_names = found.names
from (
  select own.id, array_agg(own.name) as names from (
    select min(x.id) as id, name from known x cross join unnest(x.names) name group by x.key, name having count(*) = 1
  ) own group by own.id
) found where found.id = k.id;
create index on known using gin (own_names);
analyze staged;
analyze known;

-- statement "read shelters"
create temp table shelters as
  select lat, long, point(long, lat) as place from unnest($1::double precision[], $2::double precision[]) s (lat, long);

-- statement "measure shelters": the index finds the shelter nearest in degrees. Its distance in metres limits the exact search.
create index on shelters using gist (place);
analyze shelters;
update staged_rows r set park = jsonb_set(r.park, '{facts,shelter_distance}', to_jsonb(round(nearest.metres)::text))
from staged s
cross join lateral (
  select pg_temp.metres(s.lat, s.long, n.lat, n.long) as metres from shelters n order by n.place <-> point(s.long, s.lat) limit 1
) candidate
cross join lateral (
  select candidate.metres / 111195 + 0.00001 as lat, candidate.metres / (111195 * cos(radians(s.lat))) + 0.00001 as long
) reach
cross join lateral (
  select min(pg_temp.metres(s.lat, s.long, n.lat, n.long)) as metres from shelters n
  where n.place <@ box(point(s.long - reach.long, s.lat - reach.lat), point(s.long + reach.long, s.lat + reach.lat))
) nearest
where r.number = s.number and not r.park -> 'facts' ? 'shelter_distance' and nearest.metres <= 9999;

-- statement "match by decision": parks that the operator assigned to IDs of the file
update staged s set park_id = k.id from unnest($1::text[], $2::bigint[]) d (source_ref, id) join known k on k.id = d.id
where s.source_ref = d.source_ref and k.key = s.key;

-- statement "take decided"
update known k set taken = true from staged s where s.park_id = k.id;

-- statement "match by name and place": before the ID, because some sources renumber their rows
insert into candidates
select s.number, k.id, case when k.source_ref = s.source_ref then 0 else 1 end + m.metres / 100
from (
  select s.*, dy, dx from staged s, generate_series(-1, 1) dy, generate_series(-1, 1) dx where s.park_id is null
) s
join known k on pg_temp.cell_y(k.lat) = pg_temp.cell_y(s.lat) + s.dy and pg_temp.cell_x(k.long) = pg_temp.cell_x(s.long, s.dx)
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where not k.taken and k.key = s.key and m.metres <= 25 and k.names && s.names;

-- statement "match by id": at the same place, or with a unique name; IDs of OpenStreetMap do not depend on the source's spelling
insert into candidates
select s.number, k.id, (k.source <> s.source)::integer + m.metres / 1e8
from staged s join known k using (source_ref)
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where s.park_id is null and not k.taken and (k.key = s.key or s.has_osm_id)
  and (m.metres <= 25 or k.own_names && s.own_names or s.has_osm_id and m.metres <= 500
    or m.metres <= 500 and exists (
      select from unnest(k.own_names) a, unnest(s.own_names) b where extensions.similarity(a, b) >= 0.6));

-- statement "match by id and place": from a source whose name has changed
insert into candidates
select s.number, k.id, m.metres from staged s join known k using (source_ref)
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where s.park_id is null and not k.taken and k.source <> 'user' and m.metres <= 200 and k.names && s.names;

-- statement "match by place": with another name, redrawn under another ID, or moved slightly without an ID
insert into candidates
select s.number, k.id, m.metres
from (
  select s.*, dy, dx from staged s, generate_series(-1, 1) dy, generate_series(-1, 1) dx where s.park_id is null
) s
join known k on pg_temp.cell_y(k.lat) = pg_temp.cell_y(s.lat) + s.dy and pg_temp.cell_x(k.long) = pg_temp.cell_x(s.long, s.dx)
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where not k.taken and m.metres <= 25 and k.source_ref is not null
  and (k.key = s.key or (k.source_ref like '@%' and s.source_ref like '@%' and k.names && s.names));

-- statement "match by name": under another ID, and moved
insert into candidates
select s.number, k.id, m.metres from staged s join known k on k.own_names && s.own_names and k.key = s.key
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where s.park_id is null and not k.taken and m.metres <= 200;

-- statement "match with other sources": at the same place, or with the same name nearby
insert into candidates
select s.number, k.id, m.metres
from (
  select s.*, dy, dx from staged s, generate_series(-1, 1) dy, generate_series(-1, 1) dx
  where s.park_id is null and s.source_ref <> all ($1::text[])
) s
join known k on pg_temp.cell_y(k.lat) = pg_temp.cell_y(s.lat) + s.dy and pg_temp.cell_x(k.long) = pg_temp.cell_x(s.long, s.dx)
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where k.status = 'approved' and k.key is distinct from s.key and m.metres <= 25
union all
select s.number, k.id, m.metres from staged s join known k on k.own_names && s.own_names and k.key is distinct from s.key
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where s.park_id is null and s.source_ref <> all ($1::text[]) and k.status = 'approved' and m.metres > 25 and m.metres <= 200;

-- statement "join other sources": the row becomes a second source of the park, if the two have the same name; otherwise it needs a decision
with of_rows as (select distinct on (number) * from candidates order by number, rank, id),
pairs as (
  select distinct on (p.id) p.number, p.id, p.rank, s.names && k.names and p.rank <= 25 as is_same
  from of_rows p join staged s using (number) join known k on k.id = p.id order by p.id, s.names && k.names desc, p.rank, p.number
),
used as (delete from candidates),
same as (insert into joined select number, id from pairs where is_same)
insert into reviews
select p.number, p.id, 'near', p.rank from of_rows p where not exists (select from pairs x where x.number = p.number and x.is_same);

-- statement "join by decision"
insert into joined
select s.number, k.id from unnest($1::text[], $2::bigint[]) d (source_ref, id) join known k on k.id = d.id
join staged s on s.source_ref = d.source_ref
where s.park_id is null and k.key is distinct from s.key and k.status = 'approved'
on conflict do nothing;

-- statement "settle joins"
delete from reviews r using joined j where j.number = r.number;

-- statement "review ids": the same ID with another name at another place
insert into reviews
select distinct on (s.number) s.number, k.id, 'id', m.metres
from staged s join known k on k.source_ref = s.source_ref and (k.key = s.key or s.has_osm_id) and not k.taken
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where s.park_id is null and s.source_ref <> all ($1::text[]) and s.number not in (select number from joined)
order by s.number, m.metres
on conflict (number) do nothing;

-- statement "take reviewed"
update known k set taken = true from reviews r where r.park_id = k.id and r.reason = 'id';
delete from staged s using reviews r where r.number = s.number;

-- statement "rows for review"
select r.number as row, r.reason, r.metres::float, s.park ->> 'source_ref' as ref,
  coalesce(s.park -> 'texts' -> 'en' ->> 'name', (select t.value ->> 'name' from jsonb_each(s.park -> 'texts') t limit 1)) as name,
  k.id::text as park, coalesce(private.park_name(k.id, 'en'), '') as park_name, coalesce(k.source, '') as source
from reviews r join staged_rows s using (number) join known k on k.id = r.park_id order by r.number;

-- statement "signs of a wrong file"
select count(*)::integer as known,
  count(*) filter (where pg_temp.metres(s.lat, s.long, k.lat, k.long) > 500)::integer as moved,
  count(*) filter (where not s.names && k.names)::integer as renamed,
  (select count(*) from joined)::integer as joined,
  (select coalesce(max(c.parks), 0) from (
    select count(*) as parks from staged group by round(lat::numeric, 4), round(long::numeric, 4)) c)::integer as crowded
from staged s join known k on k.id = s.park_id;

-- statement "pair": rows and known parks without a partner, nearest first
with of_rows as (select distinct on (number) * from candidates order by number, rank, id),
pairs as (select distinct on (id) * from of_rows order by id, rank, number),
marked as (update known k set taken = true from pairs where k.id = pairs.id),
used as (delete from candidates)
update staged s set park_id = pairs.id from pairs where s.number = pairs.number;

-- statement "release ids": a park that is missing in the file loses its ID to the park that has it now
create temp table released as
select distinct k.id from known k join staged s on s.key = k.key and s.source_ref = k.source_ref
where k.id is distinct from s.park_id and not exists (select from staged x where x.park_id = k.id);

-- statement "compare": each value here, in the last import and in the file; a place is one value, and null is unknown
create temp table compared as
with texts as (
  select s.number, s.park_id, x.key::public.language as language, x.value as imported_value, to_jsonb(t) as current_value,
    i.last_values -> 'texts' -> x.key as base
  from staged s cross join jsonb_each(s.texts) x
  left join public.park_translations t on t.park_id = s.park_id and t.language = x.key::public.language
  left join private.park_imports i on i.park_id = s.park_id
), parks as (
  select s.number, p.fact_sources, p.facts as current_facts, i.last_values -> 'facts' as base_facts, r.park -> 'facts' as imported_facts,
    jsonb_build_object('place', case when p.id is not null then jsonb_build_array(p.lat, p.long) end, 'size', p.size,
      'materials', nullif(p.materials, '{}'), 'shade', p.shade, 'has_facilities', p.has_facilities) as current_value,
    i.last_values || case when i.last_values ? 'lat'
      then jsonb_build_object('place', jsonb_build_array(i.last_values -> 'lat', i.last_values -> 'long'))
      else '{}' end as base,
    jsonb_build_object('place', jsonb_build_array(w.lat, w.long), 'size', w.size, 'materials', w.materials, 'shade', w.shade,
      'has_facilities', w.has_facilities) as imported_value,
    case when p.source_date < w.source_date then jsonb_build_array(p.source, p.source_date) end as earlier
  from staged s join staged_rows r using (number)
  cross join lateral jsonb_populate_record(null::public.parks, r.park) w
  left join public.parks p on p.id = s.park_id
  left join private.park_imports i on i.park_id = s.park_id
), fields as (
  select p.number, 'column' as type, k.key, null::public.language as language, p.current_value -> k.key as current_value,
    p.base -> k.key as base,
    p.imported_value -> k.key as imported_value, p.fact_sources, p.earlier
  from parks p cross join lateral jsonb_object_keys(p.current_value) k (key)
  union all
  select p.number, 'fact', k.key, null, p.current_facts -> k.key, p.base_facts -> k.key, p.imported_facts -> k.key, p.fact_sources,
    p.earlier
  from parks p
  cross join lateral jsonb_object_keys(
    coalesce(p.current_facts, '{}') || coalesce(p.base_facts, '{}') || coalesce(p.imported_facts, '{}')) k (key)
  union all
  select t.number, 'text', k.key, t.language, nullif(t.current_value -> k.key, '""'), nullif(t.base -> k.key, '""'),
    nullif(t.imported_value -> k.key, '""'),
    null, null
  from texts t cross join unnest('{name,city,address}'::text[]) k (key)
), known_values as (
  select number, type, key, language, fact_sources -> key as fact_source, earlier,
    nullif(current_value, 'null') as current_value, nullif(base, 'null') as base, nullif(imported_value, 'null') as imported_value
  from fields
), corrected as (
  -- A value counts as corrected if it differs from the value of the last import, or is recorded as corrected by users or a town.
  select *, current_value is not null and (current_value is distinct from base
    or coalesce(fact_source ->> 0 = 'community' or fact_source -> 2 is not null, false)) as corrected
  from known_values where coalesce(current_value, base, imported_value) is not null
), decided as (
  select *,
    corrected and imported_value is not null and imported_value is distinct from base and imported_value <> current_value as conflict,
    case when imported_value is null or corrected then current_value else imported_value end as value
  from corrected
)
select number, type, key, language, current_value, imported_value, value, conflict,
  -- Each import lists a conflict until a moderator has decided it.
  case when imported_value is null or conflict then base else imported_value end as last_values,
  -- The source of the value, if it is not the source of this import.
  case when current_value = value then coalesce(fact_source, case when imported_value is null then earlier end) end as fact_source
from decided;
create index on compared (number);
analyze compared;

-- statement "merge parks"
create temp table merged as
select s.number, p.id, p.xmin as seen, w.source, w.source_ref, w.licence, w.source_date, coalesce(w.outline, p.outline) as outline,
  (c.columns -> 'place' ->> 0)::double precision as lat, (c.columns -> 'place' ->> 1)::double precision as long,
  w.size, w.materials, w.shade, w.has_facilities, c.facts, c.fact_sources,
  jsonb_strip_nulls((c.last_values - 'place') || jsonb_build_object('lat', c.last_values -> 'place' -> 0, 'long',
    c.last_values -> 'place' -> 1,
    'facts', c.last_facts)) as last_values, false as written
from staged s join staged_rows r using (number)
join (
  select number, jsonb_object_agg(key, value) filter (where type = 'column') as columns,
    coalesce(jsonb_object_agg(key, value) filter (where type = 'fact' and value is not null), '{}') as facts,
    coalesce(jsonb_object_agg(key, fact_source) filter (where key <> 'place' and fact_source is not null), '{}') as fact_sources,
    jsonb_object_agg(key, last_values) filter (where type = 'column') as last_values,
    jsonb_object_agg(key, last_values) filter (where type = 'fact' and last_values is not null) as last_facts
  from compared where type <> 'text' group by number
) c using (number)
cross join lateral jsonb_populate_record(null::public.parks, r.park || c.columns) w
left join public.parks p on p.id = s.park_id;
create unique index on merged (number);
analyze merged;

-- statement "merge texts"
create temp table merged_texts as
select s.number, s.park_id, c.language, t.xmin as seen, t.park_id is null as added, c.name, c.city, c.address, c.last_values,
  (t.name, t.city, t.address) is distinct from (c.name, c.city, c.address) as differs
from staged s
join (
  select number, language, coalesce(max(value #>> '{}') filter (where key = 'name'), '') as name,
    coalesce(max(value #>> '{}') filter (where key = 'city'), '') as city,
    coalesce(max(value #>> '{}') filter (where key = 'address'), '') as address,
    jsonb_strip_nulls(jsonb_object_agg(key, last_values)) as last_values
  from compared where type = 'text' group by number, language
) c using (number)
left join public.park_translations t on t.park_id = s.park_id and t.language = c.language;
create index on merged_texts (number);
analyze merged_texts;

-- statement "mark changes": a newer date alone does not count as a change
alter table merged add differs boolean not null default false;
update merged m set differs = true from public.parks p
where p.id = m.id and ((p.source, p.source_ref, p.licence, p.outline, p.lat, p.long, p.facts, p.fact_sources, p.size, p.shade,
    p.has_facilities, nullif(p.materials, '{}'))
  is distinct from (m.source, m.source_ref, m.licence, m.outline, m.lat, m.long, m.facts, m.fact_sources, m.size, m.shade,
    m.has_facilities, m.materials));

-- statement "count"
select count(*) filter (where m.id is null and j.number is null)::integer as new,
  count(*) filter (where j.number is not null or m.id is not null and (m.differs or coalesce(x.differs, false)))::integer as changed,
  count(*)::integer as all, coalesce(max(m.number), 0)::integer as last
from merged m
left join joined j using (number)
left join (select number, bool_or(differs) as differs from merged_texts group by number) x using (number);

-- statement "places": the first parks of the file, with what becomes of them
select r.number as row, (r.park ->> 'lat')::float as lat, (r.park ->> 'long')::float as long,
  coalesce(r.park -> 'texts' -> 'en' ->> 'name', (select t.value ->> 'name' from jsonb_each(r.park -> 'texts') t limit 1)) as name,
  case when v.number is not null then 'needsReview' when m.id is null and j.number is null then 'new'
    when j.number is not null or m.differs or x.differs then 'changed' else 'unchanged' end as outcome
from staged_rows r left join reviews v using (number) left join merged m using (number) left join joined j using (number)
left join (select number, bool_or(differs) as differs from merged_texts group by number) x using (number)
order by r.number limit $1;

-- statement "conflicts"
select m.id::text as park, coalesce(private.park_name(m.id, 'en'), '') as name,
  c.key || case when c.language is null then '' else ' (' || c.language || ')' end as what,
  pg_temp.value_text(c.current_value) as current, pg_temp.value_text(c.imported_value) as imported
from compared c join merged m using (number) where c.conflict order by number, what;

-- statement "vanished": parks of the same source, within the area of the file, that the file does not contain
select k.id::text as park, coalesce(private.park_name(k.id, 'en'), '') as name, k.source_ref as ref
from known k join (
  select key, min(lat) as south, max(lat) as north, min(long) as west, max(long) as east from staged group by key
) area on area.key = k.key
  and (k.lat between south and north and k.long between west and east or k.id in (select r.id from released r))
where not k.taken and k.status <> 'rejected' and k.source_ref is not null order by k.id;

-- statement "add parks"
with added as (
  insert into public.parks (status, source_date, source, source_ref, licence, outline, lat, long, facts, fact_sources, size, materials,
    shade, has_facilities)
  select case when j.number is null then $3::public.park_status else 'pending' end, m.source_date, m.source, m.source_ref, m.licence,
    m.outline, m.lat, m.long, m.facts, m.fact_sources,
    m.size, coalesce(m.materials, '{}'), m.shade, m.has_facilities
  from merged m left join joined j using (number) where m.number > $1 and m.number <= $2 and m.id is null order by m.number
  returning id, source, source_ref
)
update merged m set id = a.id, written = true from added a
where m.number > $1 and m.number <= $2 and m.source = a.source and m.source_ref = a.source_ref;

-- statement "add texts"
insert into public.park_translations (park_id, language, name, city, address)
select m.id, x.language, x.name, x.city, x.address from merged m join merged_texts x using (number)
where m.number > $1 and m.number <= $2 and x.added on conflict do nothing;

-- statement "change parks": only rows that have not changed since they were compared; the next import changes the others
update public.parks p set source_date = m.source_date, source = m.source, source_ref = m.source_ref, licence = m.licence,
  outline = m.outline, lat = m.lat, long = m.long, facts = m.facts, fact_sources = m.fact_sources, size = m.size,
  materials = coalesce(m.materials, '{}'),
  shade = m.shade, has_facilities = m.has_facilities
from merged m where m.number > $1 and m.number <= $2 and p.id = m.id and m.differs and p.xmin = m.seen;

-- statement "change texts"
update public.park_translations t set name = m.name, city = m.city, address = m.address
from merged_texts m where m.number > $1 and m.number <= $2 and t.park_id = m.park_id and t.language = m.language
  and m.differs and t.xmin = m.seen;

-- statement "begin changes": an undo needs parks before and after the import, and a hash of the added ones
create temp table before_import (park_id bigint primary key, was jsonb);

-- statement "list import"
insert into private.imports (file, added, changed) values ($1, $2, $3) returning id;

-- statement "keep before joins and releases": stores parks as they are before the import joins or releases them, for an undo
insert into before_import (park_id, was)
select id, private.import_snapshot(id) from (select park_id as id from joined union select id from released) x
on conflict do nothing;

-- statement "release"
update public.parks p set source_ref = '@' || round(p.lat::numeric, 5) || ',' || round(p.long::numeric, 5) || '#' || p.id
from released r where r.id = p.id;

-- statement "join"
select private.merge_parks(m.id, j.park_id) from joined j join merged m using (number)
join public.parks p on p.id = j.park_id and p.status = 'approved' where m.written;

-- statement "keep joins and releases"
insert into private.import_changes (import_id, park_id, before, after)
select $1::uuid, b.park_id, b.was, s.present from (select park_id as id from joined union select id from released) x
join before_import b on b.park_id = x.id cross join lateral (select private.import_snapshot(x.id) as present offset 0) s
where b.was is distinct from s.present on conflict do nothing;

-- statement "keep before"
insert into before_import (park_id, was)
select m.id, private.import_snapshot(m.id) from merged m join public.parks p on p.id = m.id
where m.number > $1 and m.number <= $2
  and (m.differs or exists (select from merged_texts x where x.number = m.number and x.differs))
on conflict do nothing;

-- statement "keep change": "offset 0" prevents PostgreSQL from inlining the snapshot, which would compute it twice
insert into private.import_changes (import_id, park_id, before, after)
select $3::uuid, m.id, b.was, case when m.written then to_jsonb(md5(s.present::text)) else s.present end
from merged m left join before_import b on b.park_id = m.id
cross join lateral (select private.import_snapshot(m.id) as present offset 0) s
where m.number > $1 and m.number <= $2 and (m.written or b.was is distinct from s.present and b.was is not null)
on conflict do nothing;

-- statement "analyze": later statements need plans for the new number of parks
analyze public.parks, public.park_translations, private.park_imports;

-- statement "clean up"
drop table if exists before_import, released, single_names, joined, reviews, merged_texts, merged, compared, shelters, staged, known,
  candidates, staged_rows;
reset work_mem;

-- statement "note values"
insert into private.park_imports as i (park_id, last_values)
select m.id, n.last_values
from merged m
join (
  select number, jsonb_object_agg(language, last_values) as texts from merged_texts where number > $1 and number <= $2 group by number
) x using (number)
cross join lateral (select m.last_values || jsonb_build_object('texts', x.texts) as last_values) n
left join private.park_imports o on o.park_id = m.id
where m.number > $1 and m.number <= $2 and o.last_values is distinct from n.last_values
on conflict (park_id) do update set last_values = excluded.last_values;
