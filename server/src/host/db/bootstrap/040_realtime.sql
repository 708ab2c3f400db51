-- Realtime: changes of tables in the publication supabase_realtime are sent to every host process by NOTIFY.

create schema if not exists realtime;

-- A NOTIFY payload has at most 8000 bytes. A larger change is stored here, and only its ID is sent. The table is unlogged because,
-- like a NOTIFY, a change may be lost in a crash.
create unlogged table realtime.large_changes (
  id bigint generated always as identity primary key,
  change text not null,
  created_at timestamptz not null default now()
);

-- The trigger's arguments are the columns of the primary key.
create function realtime.report_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  change text;
  large bigint;
begin
  change := jsonb_build_object(
    'schema', tg_table_schema,
    'table', tg_table_name,
    'type', tg_op,
    'at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'record', case when tg_op <> 'DELETE' then to_jsonb(new) end,
    'old', (select jsonb_object_agg(key, before -> key) from unnest(tg_argv) key where before is not null)
  )::text;
  if octet_length(change) < 7900 then
    perform pg_notify('packpark_changes', change);
  else
    insert into realtime.large_changes (change) values (change) returning id into large;
    perform pg_notify('packpark_changes', large::text);
  end if;
  return null;
end
$$;

-- The tables that clients can subscribe to: those in the publication that have a primary key.
create view realtime.tables as
  select c.oid, n.nspname as schema, c.relname as table, key.columns as key, key.types as key_types
  from pg_catalog.pg_publication_tables p
  join pg_catalog.pg_namespace n on n.nspname = p.schemaname
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
  join lateral (
    select array_agg(a.attname::text order by k.place) as columns,
      array_agg(format_type(a.atttypid, a.atttypmod) order by k.place) as types
    from pg_catalog.pg_index i, unnest(i.indkey) with ordinality k (attnum, place), pg_catalog.pg_attribute a
    where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum
  ) key on key.columns is not null
  where p.pubname = 'supabase_realtime';

-- Creates, for every table of the publication, the trigger and a function that checks for many callers at the same time whether
-- they may see a row. Each start calls it after the migrations, and each host every minute. Repeating it is safe.
create function realtime.attach_triggers() returns void
language plpgsql set search_path = '' as $$
declare
  found record;
  body text;
begin
  -- The lock is needed because several processes may start at the same time.
  perform pg_advisory_xact_lock(7276040);
  for found in select * from realtime.tables loop
    if not exists (select from pg_catalog.pg_trigger where tgrelid = found.oid and tgname = 'realtime_report_change') then
      execute format(
        'create trigger realtime_report_change after insert or update or delete on %I.%I
           for each row execute function realtime.report_change(%s)',
        found.schema, found.table, (select string_agg(quote_literal(k), ', ') from unnest(found.key) k));
    end if;
    -- PostgreSQL reuses the plan of a static query in a loop. Only the claims differ between callers.
    body := format(
      $body$
       declare
         seen boolean[];
       begin
         perform set_config('role', caller_role, true);
         for i in 1 .. cardinality(claims) loop
           perform set_config('request.jwt.claims', claims[i], true);
           seen[i] := exists (select from %I.%I r where %s);
         end loop;
         return seen;
       end
       $body$, found.schema, found.table,
      (select string_agg(format('r.%I = (keys[i] ->> %L)::%s', k, k, t), ' and ') from unnest(found.key, found.key_types) as pair (k, t)));
    -- Each host calls this every minute. An existing function is not replaced, because then every connection would have to plan it
    -- again.
    if not exists (
      select from pg_catalog.pg_proc p
      where p.pronamespace = 'realtime'::regnamespace and p.proname = format('%s.%s', found.schema, found.table) and p.prosrc = body
    ) then
      execute format(
        'create or replace function realtime.%I(caller_role text, keys jsonb[], claims text[]) returns boolean[]
         language plpgsql set search_path = '''' as %L', format('%s.%s', found.schema, found.table), body);
    end if;
  end loop;
  for found in
    select t.tgrelid::regclass as name from pg_catalog.pg_trigger t
    where t.tgname = 'realtime_report_change' and t.tgrelid not in (select oid from realtime.tables)
  loop
    execute format('drop trigger realtime_report_change on %s', found.name);
  end loop;
end
$$;
