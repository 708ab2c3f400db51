-- Open data about parks: only what its contributors agreed to publish, and nothing about users or presence.

create function private.is_open_licence(p_licence text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(p_licence ~* '^(odbl|odc[ -]by|pddl|cc0|cc[ -]by([ -]sa)?|ogl|public domain)\M'
    and p_licence !~* '\m((nc|nd)\M|non[ -]?commercial|no[ -]?deriv)', false)
$$;
comment on function private.is_open_licence is
  'Returns whether the licence, as an import names it, allows everybody to republish: ODbL, ODC-By, PDDL, CC0, CC BY, CC BY-SA, OGL, '
  'public domain.';

create function public.open_parks() returns table (
  park_id bigint, lat double precision, long double precision, size double precision, materials text[], shade double precision,
  has_facilities boolean, facts jsonb, texts jsonb, by_users text[], source text, source_ref text, licence text, source_date date
)
language sql stable security definer set search_path = '' as $$
  with withheld as (
    select u.park_id, array_agg(distinct u.field) as fields from private.unlicensed_contributions u group by u.park_id
  ), others as (
    -- Values that a park took over from a merged park have the merged park's licence.
    select f.merged_into as park_id, o.id, o.size, o.materials, o.shade, o.has_facilities
    from public.removed_parks f join public.parks o on o.id = f.park_id join public.parks p on p.id = f.merged_into
    where o.source is distinct from 'user' and o.licence is distinct from p.licence
  ), translations as (
    select t.park_id, jsonb_object_agg(t.language, jsonb_build_object('name', t.name, 'city', t.city, 'address', t.address)) as texts,
      coalesce(array_agg(word.field || '_' || t.language order by t.language, word.field)
        filter (where i.park_id is not null and word.text <> coalesce(i.last_values -> 'texts' -> t.language::text ->> word.field, '')),
          '{}') as by_users
    from public.park_translations t
    left join private.park_imports i on i.park_id = t.park_id
    cross join lateral (values ('name', t.name), ('city', t.city), ('address', t.address)) word (field, text)
    where not exists (
        select from withheld w cross join unnest(w.fields) field
        where w.park_id = t.park_id and field in ('name.' || t.language, 'city.' || t.language, 'address.' || t.language))
      and not exists (
        select from others o join public.park_translations other on other.park_id = o.id and other.language = t.language
        where o.park_id = t.park_id and (other.name, other.city, other.address) = (t.name, t.city, t.address))
    group by t.park_id
  ), chosen as (
    select p.id, p.lat, p.long, w.texts, p.source, p.source_ref, p.licence, p.source_date,
      case when hidden.fields ? 'size' then null else p.size end as size,
      case when hidden.fields ? 'materials' then null else nullif(p.materials, '{}') end as materials,
      case when hidden.fields ? 'shade' then null else p.shade end as shade,
      case when hidden.fields ? 'has_facilities' then null else p.has_facilities end as has_facilities,
      coalesce((
        select jsonb_object_agg(f.key, f.value) from jsonb_each(p.facts) f
        where not hidden.fields ? ('fact.' || f.key)
          -- Excludes facts whose source is known only by name, so that its licence is unknown.
          and (coalesce(p.fact_sources -> f.key ->> 0, p.source) in (p.source, 'community', 'user')
            or p.fact_sources -> f.key -> 2 is not null)), '{}') as facts,
      p.fact_sources, w.by_users || case when (p.lat, p.long) is distinct from
        (coalesce((i.last_values ->> 'lat')::double precision, p.lat), coalesce((i.last_values ->> 'long')::double precision, p.long))
          then '{lat,long}' else '{}'::text[] end as words_by_users
    from public.parks p
    join translations w on w.park_id = p.id
    left join private.park_imports i on i.park_id = p.id
    cross join lateral (
      select to_jsonb(coalesce((select x.fields from withheld x where x.park_id = p.id), '{}') || coalesce((
        select array_agg(field) from others o cross join lateral (values
          ('size', o.size = p.size), ('materials', o.materials = p.materials),
          ('shade', o.shade = p.shade), ('has_facilities', o.has_facilities = p.has_facilities)) taken (field, equal)
        where o.park_id = p.id and taken.equal), '{}')) as fields
    ) hidden
    where p.status = 'approved' and (p.source = 'user' or private.is_open_licence(p.licence))
      and not hidden.fields ?| array['park', 'place']
  )
  select c.id, c.lat, c.long, c.size::double precision, c.materials::text[], c.shade::double precision, c.has_facilities, c.facts, c.texts,
    said.by_users, nullif(c.source, 'user'), case when c.source <> 'user' then c.source_ref end,
    case when c.source = 'user' then 'ODbL 1.0'
      when said.by_users <> '{}' and c.licence !~* '\modbl\M' then c.licence || '; ODbL 1.0'
      else c.licence end,
    c.source_date
  from chosen c
  cross join lateral (
    select case when c.source = 'user' then '{}' else c.words_by_users || coalesce((
      select array_agg(f.key order by f.key) from jsonb_each(c.fact_sources) f
      where (f.value ->> 0 in ('community', 'user') or f.value -> 2 is not null)
        and jsonb_strip_nulls(to_jsonb(c)) || c.facts ? f.key), '{}') end as by_users
  ) said
  order by c.id
$$;
comment on function public.open_parks is
  'The approved parks that may be published as open data, without values whose contributors did not agree to it. texts: {language: '
  '{name, city, address}}; by_users: values from users of this site when the rest is from a source. Source and source_ref are null for '
  'a park that users added.';

grant execute on function public.open_parks() to service_role;
