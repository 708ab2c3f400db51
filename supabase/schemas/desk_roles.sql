-- Roles, the audit log and the site's figures, for administrators.

-- RPCs: roles ----------------------------------------------------------------------------------------------------

create function public.desk_set_role(
  p_user_id uuid, p_role public.role default null, p_town text default null, p_parks bigint[] default null, p_area text default null
) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  code text := '';
  town bigint;
begin
  if private.require_role('administrator') is not null then
    -- A stolen session must not make more of itself: towns are named after a fresh login, all else by the operator's command.
    perform private.require_fresh_login();
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
  perform private.audit('set_role', private.item_name('person', p_user_id::text), jsonb_build_object('role', p_role)
    || jsonb_strip_nulls(jsonb_build_object('town', town)));
  return code;
end
$$;
comment on function public.desk_set_role is
  'For operators: makes somebody moderator or administrator, or one of a town, null takes the role away; administrators do so with towns '
  'alone. Answers the code that opens the desk where one is needed. The town gets these parks and this area, a polygon as text; without '
  'both it keeps what it has.';

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
  'Opens the desk to the second factor of the caller''s session, by the code that the administrator gave.';

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
  'Who has a role, and whether they have the second factor and entered the code, without which it opens nothing.';

create function public.my_role() returns public.role
language sql stable security definer set search_path = '' as $$
  select private.my_role()
$$;
comment on function public.my_role is 'The caller''s role, as long as it opens the desk.';

create function public.desk_audit_log(p_before bigint default null)
returns table (id bigint, at timestamptz, actor text, act text, item text, details jsonb, person text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('administrator');
  return query
    select l.id, l.at, (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where h.handle = l.actor),
      l.act, l.item, l.details,
      (select u.name from private.audit_handles h join public.users u on u.id = h.user_id where 'person:' || h.handle = l.item)
    -- One condition, so that the index finds the place: with 'or' an older page reads all that is newer.
    from private.audit_log l where l.id < coalesce(p_before, 9223372036854775807) order by l.id desc limit 100;
end
$$;
comment on function public.desk_audit_log is
  'The audit log, newest first, 100 at a time; an actor without a name is an operator, or an account that is deleted; '
  'person is the name of the one whom an entry is about.';

create function public.desk_numbers() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  since timestamptz := now() - interval '30 days';
begin
  perform private.require_role('administrator');
  return jsonb_build_object(
    'people', (select count(*) from public.users), 'new_people', (select count(*) from public.users u where u.created_at > since),
    'parks', (select count(*) from public.parks p where p.status = 'approved'), 'new_parks', (select count(*) from public.parks p
      where p.created_at > since),
    'visits', (select count(*) from public.check_ins c where c.started_at > since and c.kind = 'visit'),
    'reviews', (select count(*) from public.reviews r where r.created_at > since),
    'live_reports', (select count(*) from private.live_reports l where l.reported_at > since),
    'reports', (select count(*) from private.review_reports x where x.created_at > since) + (select count(*) from private.user_reports x
      where x.created_at > since)
      + (select count(*) from private.photo_reports x where x.created_at > since),
    'decisions', (select count(*) from private.desk_decisions d where d.decided_at > since));
end
$$;
comment on function public.desk_numbers is 'Counts of the last 30 days, and of all people and parks; nothing about anybody.';

grant execute on function
  public.my_role(),
  public.open_desk(text),
  public.desk_members(),
  public.desk_audit_log(bigint),
  public.desk_numbers(),
  public.desk_set_role(uuid, public.role, text, bigint[], text)
to authenticated, service_role;
