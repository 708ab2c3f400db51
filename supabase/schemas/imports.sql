-- Imports of parks: what each of them added and changed, so that it can be undone within 30 days.

create table private.imports (
  id uuid primary key default gen_random_uuid(),
  imported_at timestamptz not null default now(),
  file text not null,
  added integer not null,
  changed integer not null,
  undone_at timestamptz
);
comment on table private.imports is 'The operators'' imports of the last year; no personal data.';
alter table private.imports enable row level security;

create table private.import_changes (
  import_id uuid not null references private.imports (id) on delete cascade,
  park_id bigint not null references public.parks (id) on delete cascade,
  before jsonb,
  after jsonb not null,
  primary key (import_id, park_id)
);
comment on table private.import_changes is 'Parks before and after an import, for 30 days.';
comment on column private.import_changes.before is 'Null for a park that was added; then "after" is only a hash.';
alter table private.import_changes enable row level security;
create index on private.import_changes (park_id);

create function private.import_snapshot(p_park_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select to_jsonb(p) - '{id,created_at,updated_at,size_label,lat,long,facts,fact_sources}'::text[]
    || jsonb_build_object('place', jsonb_build_array(p.lat, p.long), 'last_values', i.last_values)
    || coalesce((select jsonb_object_agg('fact ' || f.key, f.value) from jsonb_each(p.facts) f), '{}')
    || coalesce((select jsonb_object_agg('source ' || s.key, s.value) from jsonb_each(p.fact_sources) s), '{}')
    || coalesce((select jsonb_object_agg(t.language || ' ' || w.key, w.value)
      from public.park_translations t cross join lateral jsonb_each(to_jsonb(t) - '{park_id,language}'::text[]) w
      where t.park_id = p.id), '{}')
  from public.parks p left join private.park_imports i on i.park_id = p.id where p.id = p_park_id
$$;
comment on function private.import_snapshot is 'All values of a park that an import may change and users may correct, by name.';

create function private.reverted_values(p_before jsonb, p_after jsonb, p_present jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_object_agg(v.key, v.value) filter (where v.value is not null)
  from (
    select k.key, case when p_present -> k.key is not distinct from p_after -> k.key then p_before -> k.key
      else p_present -> k.key end as value
    from (select jsonb_object_keys(p_before || p_present) as key) k
  ) v
$$;
comment on function private.reverted_values is 'The values before a change, without those that have changed again.';

create function private.part_of(p_values jsonb, p_part text) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(substr(v.key, length(p_part) + 2), v.value), '{}')
  from jsonb_each(p_values) v where starts_with(v.key, p_part || ' ')
$$;

create function private.untouched_additions(p_import_id uuid) returns bigint[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  untouched bigint[];
  used record;
begin
  untouched := array(
    select c.park_id from private.import_changes c
    where c.import_id = p_import_id and c.before is null and c.after = to_jsonb(md5(private.import_snapshot(c.park_id)::text)));
  for used in
    select c.conrelid::regclass as relation, a.attname as field
    from pg_catalog.pg_constraint c join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'public.parks'::regclass
      -- Excludes tables that have rows for every park, because these rows do not show that users use the park.
      and c.conrelid <> all (array['public.park_translations', 'private.park_imports', 'private.import_changes',
        'private.park_companies', 'private.park_ratings']::regclass[])
  loop
    -- Ignores rows of removed parks, because the import itself adds them when it merges a park with another one.
    continue when used.relation = 'public.removed_parks'::regclass and used.field = 'park_id';
    execute 'select array(select u.id from unnest($1) u (id) where not exists (select from ' || used.relation || ' t where t.'
      || quote_ident(used.field) || ' = u.id))' into untouched using untouched;
  end loop;
  return untouched;
end
$$;
comment on function private.untouched_additions is
  'Parks that an import added and that no user has changed, visited, reviewed or saved since.';

create function public.desk_imports()
returns table (id uuid, imported_at timestamptz, file text, added integer, changed integer, undone_at timestamptz, can_undo boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select i.id, i.imported_at, i.file, i.added, i.changed, i.undone_at,
      i.undone_at is null and i.imported_at > now() - interval '30 days'
    from private.imports i order by i.imported_at desc limit 100;
end
$$;
comment on function public.desk_imports is 'The newest 100 imports of parks, for administrators.';

create function public.desk_allow_import(p_file text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  perform private.audit('import', p_details => jsonb_build_object('file', left(p_file, 200)));
end
$$;
comment on function public.desk_allow_import is
  'The host calls it before it stores a file that an administrator imports: rejects other callers, and adds the file to the audit log.';

create function public.desk_undo_import(p_import_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  undone private.imports;
  additions bigint[];
  counts jsonb;
begin
  perform private.require_role('administrator');
  perform private.enter_desk(p_alone => true);
  -- The number of the lock is the same as in write-parks.ts.
  if not pg_try_advisory_xact_lock(7276003) then
    perform private.fail('import_running', 'An import is running: wait until it is done.');
  end if;
  select * into undone from private.imports i
  where i.id = p_import_id and i.undone_at is null and i.imported_at > now() - interval '30 days' for update;
  if undone.id is null then
    return null;
  end if;
  if exists (
    select from private.import_changes c join private.import_changes newer using (park_id)
    join private.imports i on i.id = newer.import_id
    where c.import_id = undone.id and i.imported_at > undone.imported_at
  ) then
    perform private.fail('later_import', 'A later import changed the same parks: undo that one first.');
  end if;
  -- The parks are locked until the end of the transaction, so that no user can check in at a park that is being removed.
  perform from public.parks p join private.import_changes c on c.park_id = p.id
  where c.import_id = undone.id order by p.id for update of p;
  additions := private.untouched_additions(undone.id);
  with back as materialized (
    select c.park_id, c.before, private.reverted_values(c.before, c.after, private.import_snapshot(c.park_id)) as v
    from private.import_changes c where c.import_id = undone.id and c.before is not null
  ), parks as (
    update public.parks p set (source, source_ref, licence, source_date, outline, size, materials, shade, has_facilities, lat, long,
      facts, fact_sources) = (
        select r.source, r.source_ref, r.licence, r.source_date, r.outline, r.size, r.materials, r.shade, r.has_facilities,
          (back.v #>> '{place,0}')::double precision, (back.v #>> '{place,1}')::double precision, private.part_of(back.v, 'fact'),
          private.part_of(back.v, 'source')
        from jsonb_populate_record(p, back.v) r)
    from back where p.id = back.park_id
  ), texts as (
    select back.park_id, l.language, w.* from back cross join unnest(enum_range(null::public.language)) l (language)
    cross join lateral jsonb_to_record(private.part_of(back.v, l.language::text)) w (name text, city text, address text)
  ), texts_before as (
    update public.park_translations t
    set name = coalesce(x.name, t.name), city = coalesce(x.city, t.city), address = coalesce(x.address, t.address)
    from texts x where t.park_id = x.park_id and t.language = x.language and coalesce(x.name, x.city, x.address) is not null
      and (t.name, t.city, t.address) is distinct from (coalesce(x.name, t.name), coalesce(x.city, t.city), coalesce(x.address, t.address))
  ), texts_gone as (
    delete from public.park_translations t using texts x
    where t.park_id = x.park_id and t.language = x.language and coalesce(x.name, x.city, x.address) is null
  ), values_before as (
    update private.park_imports i set last_values = back.v -> 'last_values'
    from back where i.park_id = back.park_id and back.v -> 'last_values' <> 'null'
  ), values_removed as (
    delete from private.park_imports i using back where i.park_id = back.park_id and back.v -> 'last_values' = 'null'
  ), gone as (
    delete from public.parks p where p.id = any (additions) returning p.status
  )
  select jsonb_build_object('removed', (select count(*) from gone where gone.status <> 'rejected'), 'restored', count(*),
    'kept', (select count(*) from private.import_changes c where c.import_id = undone.id and c.before is null)
      - (select count(*) from gone) + count(*) filter (where back.v is distinct from back.before))
  into counts from back;
  delete from private.import_changes c where c.import_id = undone.id;
  update private.imports i set undone_at = now() where i.id = undone.id;
  perform private.audit('undo_import', 'import:' || undone.id, counts);
  return counts;
exception when unique_violation then
  perform private.fail('later_import', 'A later import changed the same parks: undo that one first.');
end
$$;
comment on function public.desk_undo_import is
  'Removes the parks that an import added and restores those that it changed, unless users changed or used them since. Returns {removed, '
  'restored, kept}; null for an import that is unknown, undone, or older than 30 days.';

grant execute on function
  public.desk_imports(),
  public.desk_allow_import(text),
  public.desk_undo_import(uuid)
to authenticated, service_role;

insert into private.retention (name, run_order, statement) values
  ('parks before an import: 30 days', 60, $$delete from private.import_changes c using private.imports i where i.id = c.import_id
    and i.imported_at < now() - interval '30 days'$$),
  ('imports: one year', 80, $$delete from private.imports i where i.imported_at < now() - interval '1 year'$$);
