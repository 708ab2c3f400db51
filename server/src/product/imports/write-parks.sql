-- The statements of write-parks.ts, each below its name: parks are staged, matched with those that are known, compared, and written.

-- stage: temporary tables, which no other session sees or waits for
set work_mem = '64MB';
create or replace function pg_temp.source_key(source text) returns text language sql immutable
  -- By signs that go, because what a letter is depends on the database's locale.
  return regexp_replace(lower(source), '[[:space:][:punct:]]+', '', 'g');
create or replace function pg_temp.metres(lat double precision, long double precision, lat2 double precision, long2 double precision)
  returns double precision language sql immutable
  return 111195 * sqrt((lat - lat2) ^ 2 + ((long - long2) * cos(radians(lat))) ^ 2);
create or replace function pg_temp.cell(degree double precision) returns integer language sql immutable
  return floor(degree * 1000)::integer;
create or replace function pg_temp.value_text(value jsonb) returns text language sql immutable
  return case when jsonb_typeof(value) = 'array' then array_to_string(array(select jsonb_array_elements_text(value)), ',')
    else value #>> '{}' end;
create temp table staged_rows (number integer, park jsonb);
create temp table candidates (number integer, id bigint, rank double precision);
create temp table known as
  select p.id, p.source, p.source_ref, pg_temp.source_key(p.source) as key, p.lat, p.long, p.status, false as taken
  from public.parks p where p.source <> 'user' and p.source_ref is not null;
create index on known (source_ref);
create index on known (pg_temp.cell(lat), pg_temp.cell(long));
analyze known;

-- read staged
create temp table staged as
  select s.number, r.*, pg_temp.source_key(r.source) as key, s.park -> 'texts' as texts, null::bigint as park_id
  from staged_rows s, jsonb_to_record(s.park) as r (source text, source_ref text, lat double precision, long double precision);
create index on staged (number);
analyze staged_rows;
analyze staged;

-- read shelters
create temp table shelters as
  select lat, long, point(long, lat) as place from unnest($1::double precision[], $2::double precision[]) s (lat, long);

-- measure shelters: the one that is nearest by degrees is not always the nearest, but no nearer one is further away than it
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

-- match by id: OpenStreetMap's ids are the same however its name is spelled
insert into candidates
select s.number, k.id, (k.source <> s.source)::integer from staged s join known k using (source_ref)
where k.key = s.key or s.source_ref ~ '^(node|way|relation)/\d+$';

-- match by id and place: from a source that has another name now
insert into candidates
select s.number, k.id, m.metres from staged s join known k using (source_ref)
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where s.park_id is null and not k.taken and m.metres <= 200;

-- match by place: moved a little without an id of its own, or drawn anew under another one
insert into candidates
select s.number, k.id, m.metres
from (
  select s.*, pg_temp.cell(s.lat) + dy as y, pg_temp.cell(s.long) + dx as x
  from staged s, generate_series(-1, 1) dy, generate_series(-1, 1) dx where s.park_id is null
) s
join known k on pg_temp.cell(k.lat) = s.y and pg_temp.cell(k.long) = s.x
cross join lateral pg_temp.metres(s.lat, s.long, k.lat, k.long) m (metres)
where not k.taken and m.metres <= 25
  and (k.key = s.key or (k.source_ref like '@%' and s.source_ref like '@%'));

-- pair: rows and known parks that have no partner yet, the nearest ones first
with of_rows as (select distinct on (number) * from candidates order by number, rank, id),
pairs as (select distinct on (id) * from of_rows order by id, rank, number),
marked as (update known k set taken = true from pairs where k.id = pairs.id),
used as (delete from candidates)
update staged s set park_id = pairs.id from pairs where s.number = pairs.number;

-- compare: what each value is here, was said last and is said now; a place is one value, and null is not known
create temp table compared as
with texts as (
  select s.number, s.park_id, x.key::public.language as language, x.value as theirs, to_jsonb(t) as ours, i.said -> 'texts' -> x.key as base
  from staged s cross join jsonb_each(s.texts) x
  left join public.park_translations t on t.park_id = s.park_id and t.language = x.key::public.language
  left join private.park_imports i on i.park_id = s.park_id
), parks as (
  select s.number, p.fact_sources, p.facts as our_facts, i.said -> 'facts' as base_facts, r.park -> 'facts' as their_facts,
    jsonb_build_object('place', case when p.id is not null then jsonb_build_array(p.lat, p.long) end, 'size', p.size,
      'materials', nullif(p.materials, '{}'), 'shade', p.shade, 'has_facilities', p.has_facilities) as ours,
    i.said || case when i.said ? 'lat' then jsonb_build_object('place', jsonb_build_array(i.said -> 'lat', i.said -> 'long'))
      else '{}' end as base,
    jsonb_build_object('place', jsonb_build_array(w.lat, w.long), 'size', w.size, 'materials', w.materials, 'shade', w.shade,
      'has_facilities', w.has_facilities) as theirs,
    case when p.source_date < w.source_date then jsonb_build_array(p.source, p.source_date) end as earlier
  from staged s join staged_rows r using (number)
  cross join lateral jsonb_populate_record(null::public.parks, r.park) w
  left join public.parks p on p.id = s.park_id
  left join private.park_imports i on i.park_id = s.park_id
), fields as (
  select p.number, 'column' as kind, k.key, null::public.language as language, p.ours -> k.key as ours, p.base -> k.key as base,
    p.theirs -> k.key as theirs, p.fact_sources, p.earlier
  from parks p cross join lateral jsonb_object_keys(p.ours) k (key)
  union all
  select p.number, 'fact', k.key, null, p.our_facts -> k.key, p.base_facts -> k.key, p.their_facts -> k.key, p.fact_sources, p.earlier
  from parks p
  cross join lateral jsonb_object_keys(coalesce(p.our_facts, '{}') || coalesce(p.base_facts, '{}') || coalesce(p.their_facts, '{}')) k (key)
  union all
  select t.number, 'text', k.key, t.language, nullif(t.ours -> k.key, '""'), nullif(t.base -> k.key, '""'), nullif(t.theirs -> k.key, '""'),
    null, null
  from texts t cross join unnest('{name,city,address}'::text[]) k (key)
), known_values as (
  select number, kind, key, language, fact_sources -> key as told_by, earlier,
    nullif(ours, 'null') as ours, nullif(base, 'null') as base, nullif(theirs, 'null') as theirs
  from fields
), corrected as (
  -- A value that people or a town corrected differs from what the source said last, or is noted as theirs.
  select *, ours is not null and (ours is distinct from base
    or coalesce(told_by ->> 0 = 'people' or told_by -> 2 is not null, false)) as corrected
  from known_values where coalesce(ours, base, theirs) is not null
), decided as (
  select *, corrected and theirs is not null and theirs is distinct from base and theirs <> ours as conflict,
    case when theirs is null or corrected then ours else theirs end as value
  from corrected
)
select number, kind, key, language, ours, theirs, value, conflict,
  -- A conflict is told again by each import until somebody decides it.
  case when theirs is null or conflict then base else theirs end as said,
  -- Who said it where it was not the source of this import; what the source says anew is its own again.
  case when ours = value then coalesce(told_by, case when theirs is null then earlier end) end as told_by
from decided;
create index on compared (number);
analyze compared;

-- merge parks
create temp table merged as
select s.number, p.id, p.xmin as seen, w.source, w.source_ref, w.licence, w.source_date, coalesce(w.outline, p.outline) as outline,
  (c.columns -> 'place' ->> 0)::double precision as lat, (c.columns -> 'place' ->> 1)::double precision as long,
  w.size, w.materials, w.shade, w.has_facilities, c.facts, c.fact_sources,
  jsonb_strip_nulls((c.said - 'place') || jsonb_build_object('lat', c.said -> 'place' -> 0, 'long', c.said -> 'place' -> 1,
    'facts', c.said_facts)) as said, false as written
from staged s join staged_rows r using (number)
join (
  select number, jsonb_object_agg(key, value) filter (where kind = 'column') as columns,
    coalesce(jsonb_object_agg(key, value) filter (where kind = 'fact' and value is not null), '{}') as facts,
    coalesce(jsonb_object_agg(key, told_by) filter (where key <> 'place' and told_by is not null), '{}') as fact_sources,
    jsonb_object_agg(key, said) filter (where kind = 'column') as said,
    jsonb_object_agg(key, said) filter (where kind = 'fact' and said is not null) as said_facts
  from compared where kind <> 'text' group by number
) c using (number)
cross join lateral jsonb_populate_record(null::public.parks, r.park || c.columns) w
left join public.parks p on p.id = s.park_id;
create unique index on merged (number);
analyze merged;

-- merge texts
create temp table merged_texts as
select s.number, s.park_id, c.language, t.xmin as seen, t.park_id is null as added, c.name, c.city, c.address, c.said,
  (t.name, t.city, t.address) is distinct from (c.name, c.city, c.address) as differs
from staged s
join (
  select number, language, coalesce(max(value #>> '{}') filter (where key = 'name'), '') as name,
    coalesce(max(value #>> '{}') filter (where key = 'city'), '') as city,
    coalesce(max(value #>> '{}') filter (where key = 'address'), '') as address,
    jsonb_strip_nulls(jsonb_object_agg(key, said)) as said
  from compared where kind = 'text' group by number, language
) c using (number)
left join public.park_translations t on t.park_id = s.park_id and t.language = c.language;
create index on merged_texts (number);
analyze merged_texts;

-- mark changes: a newer date alone is none
alter table merged add differs boolean not null default false;
update merged m set differs = true from public.parks p
where p.id = m.id and ((p.source, p.source_ref, p.licence, p.outline, p.lat, p.long, p.facts, p.fact_sources, p.size, p.shade,
    p.has_facilities, nullif(p.materials, '{}'))
  is distinct from (m.source, m.source_ref, m.licence, m.outline, m.lat, m.long, m.facts, m.fact_sources, m.size, m.shade,
    m.has_facilities, m.materials));

-- count
select count(*) filter (where m.id is null)::integer as new,
  count(*) filter (where m.id is not null and (m.differs or coalesce(x.differs, false)))::integer as changed,
  count(*)::integer as all, coalesce(max(m.number), 0)::integer as last
from merged m
left join (select number, bool_or(differs) as differs from merged_texts group by number) x using (number);

-- conflicts
select m.id::text as park, coalesce(private.park_name(m.id, 'en'), '') as name,
  c.key || case when c.language is null then '' else ' (' || c.language || ')' end as what,
  pg_temp.value_text(c.ours) as ours, pg_temp.value_text(c.theirs) as theirs
from compared c join merged m using (number) where c.conflict order by number, what;

-- vanished: parks of the same source, in the area of the file, that are not in it any more
select k.id::text as park, coalesce(private.park_name(k.id, 'en'), '') as name, k.source_ref as ref
from known k join (
  select key, min(lat) as south, max(lat) as north, min(long) as west, max(long) as east from staged group by key
) area on area.key = k.key and k.lat between south and north and k.long between west and east
where not k.taken and k.status <> 'rejected' order by k.id;

-- add parks
with added as (
  insert into public.parks (status, source_date, source, source_ref, licence, outline, lat, long, facts, fact_sources, size, materials,
    shade, has_facilities)
  select $3::public.park_status, m.source_date, m.source, m.source_ref, m.licence, m.outline, m.lat, m.long, m.facts, m.fact_sources,
    m.size, coalesce(m.materials, '{}'), m.shade, m.has_facilities
  from merged m where m.number > $1 and m.number <= $2 and m.id is null order by m.number
  returning id, source, source_ref
)
update merged m set id = a.id, written = true from added a
where m.number > $1 and m.number <= $2 and m.source = a.source and m.source_ref = a.source_ref;

-- add texts
insert into public.park_translations (park_id, language, name, city, address)
select m.id, x.language, x.name, x.city, x.address from merged m join merged_texts x using (number)
where m.number > $1 and m.number <= $2 and x.added on conflict do nothing;

-- change parks: only what is as it was when it was compared; what somebody changes meanwhile is left to the next import
update public.parks p set source_date = m.source_date, source = m.source, source_ref = m.source_ref, licence = m.licence,
  outline = m.outline, lat = m.lat, long = m.long, facts = m.facts, fact_sources = m.fact_sources, size = m.size,
  materials = coalesce(m.materials, '{}'),
  shade = m.shade, has_facilities = m.has_facilities
from merged m where m.number > $1 and m.number <= $2 and p.id = m.id and m.differs and p.xmin = m.seen;

-- change texts
update public.park_translations t set name = m.name, city = m.city, address = m.address
from merged_texts m where m.number > $1 and m.number <= $2 and t.park_id = m.park_id and t.language = m.language
  and m.differs and t.xmin = m.seen;

-- begin changes: what an undo needs, parks as they were and then as the import left them; of those that it added only a hash
create temp table before_import (park_id bigint primary key, was jsonb);

-- list import
insert into private.imports (file, added, changed) values ($1, $2, $3) returning id;

-- keep before
insert into before_import (park_id, was)
select m.id, private.import_snapshot(m.id) from merged m join public.parks p on p.id = m.id
where m.number > $1 and m.number <= $2
  and (m.differs or exists (select from merged_texts x where x.number = m.number and x.differs));

-- keep change: by "offset 0" the snapshot is made once
insert into private.import_changes (import_id, park_id, before, after)
select $3::uuid, m.id, b.was, case when m.written then to_jsonb(md5(s.present::text)) else s.present end
from merged m left join before_import b on b.park_id = m.id
cross join lateral (select private.import_snapshot(m.id) as present offset 0) s
where m.number > $1 and m.number <= $2 and (m.written or b.was is distinct from s.present and b.was is not null);

-- analyze: statements that follow at once must not be planned for the few parks of before
analyze public.parks, public.park_translations, private.park_imports;

-- clean up
drop table if exists before_import, merged_texts, merged, compared, shelters, staged, known, candidates, staged_rows;
reset work_mem;

-- note said
insert into private.park_imports as i (park_id, said)
select m.id, n.said
from merged m
join (
  select number, jsonb_object_agg(language, said) as texts from merged_texts where number > $1 and number <= $2 group by number
) x using (number)
cross join lateral (select m.said || jsonb_build_object('texts', x.texts) as said) n
left join private.park_imports o on o.park_id = m.id
where m.number > $1 and m.number <= $2 and o.said is distinct from n.said
on conflict (park_id) do update set said = excluded.said;
