-- Roles at the desk, and how a member gets access to it.


create function public.desk_set_role(
  p_user_id uuid, p_role public.role default null, p_town text default null, p_parks bigint[] default null, p_area text default null
) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  code text := '';
  town bigint;
begin
  if private.require_role('administrator') is not null then
    -- A stolen session must not be able to grant roles. A town's representatives can be appointed after a recent login, all others
    -- only by the operator's command.
    perform private.require_recent_login();
    if p_role <> 'town' or exists (select from public.user_roles r where r.user_id = p_user_id and r.role <> 'town') then
      perform private.fail('not_allowed', 'Moderators and administrators are named by the operator''s command.', '42501');
    end if;
  end if;
  if not exists (select from public.users u where u.id = p_user_id) then
    return null;
  end if;
  if p_role = 'town' then
    update private.towns t set parks = coalesce(p_parks, case when p_area is null then t.parks else '{}' end),
      area = case when num_nonnulls(p_parks, p_area) = 0 then t.area else p_area::polygon end
    where t.name = p_town returning t.id into town;
    if town is null then
      insert into private.towns (name, parks, area) values (p_town, coalesce(p_parks, '{}'), p_area::polygon) returning id into town;
    end if;
  end if;
  if p_role is null then
    delete from public.user_roles r where r.user_id = p_user_id;
  else
    insert into public.user_roles (user_id, role, town_id) values (p_user_id, p_role, town)
    on conflict (user_id) do update set role = excluded.role, granted_at = now(), town_id = excluded.town_id;
    if not exists (select from public.user_roles r join auth.mfa_factors f on f.id = r.factor_id and f.status = 'verified'
      where r.user_id = p_user_id) then
      code := private.new_code();
      update public.user_roles r set code_hash = private.role_code_hash(code) where r.user_id = p_user_id;
    end if;
  end if;
  perform private.audit('set_role', private.item_name('user', p_user_id::text), jsonb_build_object('role', p_role)
    || jsonb_strip_nulls(jsonb_build_object('town', town)));
  return code;
end
$$;
comment on function public.desk_set_role is
  'For operators: makes a user a moderator, an administrator, or a member of a town; null removes the role. Administrators may do so for '
  'towns only. Returns the code that opens the desk if one is needed. The town gets these parks and this area, a polygon as text; '
  'without both it keeps its previous ones.';

create function public.open_desk(p_code text) returns public.role
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.user_roles r set code_hash = null, factor_id = f.id from auth.mfa_factors f
  where r.user_id = private.require_user() and f.user_id = r.user_id and f.status = 'verified' and auth.jwt() ->> 'aal' = 'aal2'
    and r.granted_at > now() - interval '7 days' and r.code_hash = private.role_code_hash(p_code);
  return private.my_role();
end
$$;
comment on function public.open_desk is
  'Activates the desk for the second factor of the caller''s session, with the code from the administrator.';

create function public.desk_members()
returns table (id uuid, name text, role public.role, granted_at timestamptz, second_factor boolean, town text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select u.id, u.name, r.role, r.granted_at,
      exists (select from auth.mfa_factors f where f.id = r.factor_id and f.status = 'verified'),
      (select t.name from private.towns t where t.id = r.town_id)
    from public.user_roles r join public.users u on u.id = r.user_id order by r.role desc, u.name, u.id;
end
$$;
comment on function public.desk_members is
  'Users with a role, whether they have a second factor, and whether they have entered the code. The role has no effect without both.';

create function public.my_role() returns public.role
language sql stable security definer set search_path = '' as $$
  select private.my_role()
$$;
comment on function public.my_role is 'The caller''s role, if the caller may use the desk.';

grant execute on function
  public.my_role(),
  public.open_desk(text),
  public.desk_members(),
  public.desk_set_role(uuid, public.role, text, bigint[], text)
to authenticated, service_role;
