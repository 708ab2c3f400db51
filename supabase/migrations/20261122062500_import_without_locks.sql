-- Long transactions that change parks hold nobody up; imported parks keep their outline, and what their source said of them last.

drop trigger mark_park_list_changed on public.parks;
drop trigger mark_park_list_count_changed on public.parks;
drop trigger mark_park_list_changed on public.park_translations;
drop function private.mark_park_list_changed();
drop function public.stale_park_list();
drop function public.park_list_published(timestamptz);
drop table private.park_list;

create table private.park_list_changes (
  transaction xid8 primary key default pg_current_xact_id()
);
comment on table private.park_list_changes is 'The transactions that changed the content of parks-{language}.json since it was published. Each adds a row of its own, so that no long one holds up another.';
alter table private.park_list_changes enable row level security;

create function private.mark_park_list_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_table_name = 'parks' then
    if not exists (
      select from after a join before b using (id)
      where (a.status, a.lat, a.long) is distinct from (b.status, b.lat, b.long)
    ) then
      return null;
    end if;
  elsif tg_op <> 'TRUNCATE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  insert into private.park_list_changes default values on conflict do nothing;
  perform pg_notify('park_list', '');
  return null;
end
$$;
create trigger mark_park_list_changed after update on public.parks
  referencing old table as before new table as after
  for each statement execute function private.mark_park_list_changed();
-- A park is listed with its translations: they come and go with it.
create trigger mark_park_list_added after insert on public.park_translations
  referencing new table as changed
  for each statement execute function private.mark_park_list_changed();
create trigger mark_park_list_changed after update on public.park_translations
  referencing new table as changed
  for each statement execute function private.mark_park_list_changed();
create trigger mark_park_list_removed after delete on public.park_translations
  referencing old table as changed
  for each statement execute function private.mark_park_list_changed();
create trigger mark_park_list_truncated after truncate on public.park_translations
  for each statement execute function private.mark_park_list_changed();

create function public.stale_park_list() returns text[]
language sql stable security definer set search_path = ''
as $$
  select array_agg(c.transaction::text) from private.park_list_changes c
$$;
comment on function public.stale_park_list is 'The changes that are not published yet, or null. Read it before parks_for_publishing, then pass it to park_list_published.';

create function public.park_list_published(p_changes text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.park_list_changes c where c.transaction = any (p_changes::xid8[])
$$;

grant execute on function
  public.stale_park_list(),
  public.park_list_published(text[])
to service_role;

alter table public.parks add column outline jsonb,
  add constraint parks_outline_check check (outline ->> 'type' in ('Polygon', 'MultiPolygon') and octet_length(outline::text) <= 65536);
comment on column public.parks.outline is 'The outline as a GeoJSON geometry, of an imported park whose source draws one.';

alter table public.park_translations drop constraint park_translations_address_check,
  add constraint park_translations_address_check check (char_length(address) <= 200 and address !~ '[[:cntrl:]]');
comment on column public.park_translations.address is 'Empty where an imported park has none beyond its city.';

create or replace function public.suggest_places(input text, p_language public.language default 'en')
returns table (label text, lat double precision, long double precision, city text, address text, is_park boolean)
language sql stable security definer set search_path = ''
as $$
  -- Our own parks, cities and streets answer while somebody types, so that no public geocoder has to.
  with typed as (
    select lower(btrim(left(input, 100))) as text,
      replace(replace(replace(lower(btrim(left(input, 100))), '\', '\\'), '%', '\%'), '_', '\_') as pattern
  ), hits as (
    (select t.name || ', ' || t.city as label, t.city, t.address, t.park_id, t.language, 0 as rank
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like typed.pattern || '%' limit 100)
    union all
    (select t.name || ', ' || t.city, t.city, t.address, t.park_id, t.language, 1
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and lower(t.name) like '%' || typed.pattern || '%' limit 100)
    union all
    (select t.address || ', ' || t.city, t.city, t.address, t.park_id, t.language, 2
    from typed, public.park_translations t
    where char_length(typed.text) >= 3 and t.address <> '' and lower(t.address || ' ' || t.city) like '%' || typed.pattern || '%' limit 100)
  ), places as (
    select distinct on (h.label)
      h.label, p.lat, p.long, h.city, h.address, h.rank, h.language = p_language as in_language
    from hits h join public.parks p on p.id = h.park_id and p.status = 'approved'
    -- Where several parks share a label, its place is that of one of them, not a point between them.
    order by h.label, h.rank, h.language = p_language desc, p.id
  )
  select label, lat, long, city, address, rank < 2
  from places
  order by rank, in_language desc, label
  limit 3
$$;

-- Imports used to repeat the city where there was no address.
update public.park_translations t set address = ''
from public.parks p where p.id = t.park_id and p.source <> 'user' and t.address = t.city;

create table private.park_imports (
  park_id bigint primary key references public.parks (id) on delete cascade,
  said jsonb not null
);
comment on table private.park_imports is 'What the source of an imported park said of it last, by column and language. A value of the park that differs was corrected by people, and an import leaves it as it is.';
alter table private.park_imports enable row level security;

-- What moderators approved came from people; everything else, as far as is known, from the source.
insert into private.park_imports (park_id, said)
select p.id, jsonb_strip_nulls(jsonb_build_object(
    'lat', p.lat, 'long', p.long,
    'size', case when not people.size then p.size end,
    'shade', case when not people.shade then p.shade end,
    'materials', case when not people.materials then nullif(p.materials, '{}') end,
    'has_facilities', case when not people.has_facilities then p.has_facilities end,
    'texts', (
      select jsonb_object_agg(t.language, jsonb_build_object('name', t.name, 'city', t.city, 'address', t.address))
      from public.park_translations t where t.park_id = p.id
    )))
from public.parks p
cross join lateral (
  select coalesce(bool_or(s.size is not null), false) as size, coalesce(bool_or(s.shade is not null), false) as shade,
    coalesce(bool_or(s.materials is not null), false) as materials,
    coalesce(bool_or(s.has_facilities is not null), false) as has_facilities
  from public.park_suggestions s where s.park_id = p.id and s.status = 'approved'
) people
where p.source <> 'user' and p.source_ref is not null;
