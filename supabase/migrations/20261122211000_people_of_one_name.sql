-- The desk finds the first of thousands of people with one name by index, and asks once about whom the caller may not decide.

-- users.sql
drop index public.users_name_start;
create index users_name_start on public.users (lower(name) text_pattern_ops, id);

-- desk.sql
create or replace function public.desk_people(p_search text)
returns table (id uuid, name text, joined date, role public.role, reports integer, limited boolean)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  typed text := lower(private.clean_name(left(p_search, 80)));
  pattern text := replace(replace(replace(typed, '\', '\\'), '%', '\%'), '_', '\_');
  found_ids uuid[];
  -- Once, not for each of those who are found.
  barred uuid[] := array(select b.author from private.barred_authors(private.uid()) b where b.kind = 'person');
begin
  perform private.require_role();
  perform private.audit('search_people');
  -- Each by its own index; together with "or" none of them would be used.
  found_ids := array(
    select a.id from auth.users a where a.id = private.to_uuid(p_search)
    union all
    select a.id from auth.users a where lower(a.email) = lower(btrim(p_search)));
  if typed <> '' then
    found_ids := found_ids || array(
      select u.id from public.users u where lower(u.name) like pattern || '%' order by lower(u.name) using ~<~, u.id limit 30);
    -- Only where those whose name begins with it are few.
    if cardinality(found_ids) < 30 then
      found_ids := found_ids || array(select u.id from public.users u where lower(u.name) like '%' || pattern || '%' limit 30);
    end if;
  end if;
  return query
    select u.id, u.name, (u.created_at at time zone 'Asia/Jerusalem')::date, r.role,
      (select count(*)::integer from private.user_reports x where x.user_id = u.id and x.user_id <> all (barred)),
      exists (select from private.measures_in_force(u.id) m where m.shown)
    from public.users u left join public.user_roles r on r.user_id = u.id
    where u.id = any (found_ids)
    order by lower(u.name) = typed desc, starts_with(lower(u.name), typed) desc, lower(u.name), u.id limit 30;
end
$$;
