-- What asks for listeners whether a row is theirs to see is made again only where it changed, not each minute.

create or replace function realtime.attach_triggers() returns void
language plpgsql set search_path = ''
as $$
declare
  found record;
  body text;
begin
  -- Several processes may start at once.
  perform pg_advisory_xact_lock(7276040);
  for found in select * from realtime.tables loop
    if not exists (select from pg_catalog.pg_trigger where tgrelid = found.oid and tgname = 'realtime_report_change') then
      execute format(
        'create trigger realtime_report_change after insert or update or delete on %I.%I
           for each row execute function realtime.report_change(%s)',
        found.schema, found.table, (select string_agg(quote_literal(k), ', ') from unnest(found.key) k));
    end if;
    -- A static query in a loop keeps its plan; only the claims change from caller to caller.
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
    -- Each host asks every minute: one that stands is not made again, or every connection would compile and plan it anew.
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
