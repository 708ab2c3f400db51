-- Roles: who may work at the desk. Every function of the desk asks private.require_role, so no screen and no client decides it.

create type public.role as enum ('town', 'moderator', 'administrator');

create table private.towns (
  id bigint generated always as identity primary key,
  name text not null unique check (char_length(name) between 1 and 80),
  parks bigint[] not null,
  area polygon,
  mail text check (char_length(mail) <= 254 and mail ~ '^[^@\s,;<>"()]+@[^@\s,;<>"()]+\.[^@\s,;<>"()]+$'),
  mail_language public.language,
  mail_code bytea,
  mail_requested_at timestamptz,
  check (parks <> '{}' or area is not null)
);
comment on table private.towns is 'Towns, and which parks are theirs: those named here, and those in the area; no personal data.';
comment on column private.towns.area is 'Its points are (longitude, latitude).';
comment on column private.towns.mail is 'The town''s address, to which verified hazards are mailed; null: none.';
comment on column private.towns.mail_code is 'Hash of the code that was mailed to ask whether the address is right, empty before; null once it was entered.';
alter table private.towns enable row level security;

create table public.user_roles (
  user_id uuid primary key references public.users (id) on delete cascade,
  role public.role not null,
  granted_at timestamptz not null default now(),
  notified_at timestamptz not null default '-infinity',
  factor_id uuid,
  code_hash bytea,
  town_id bigint references private.towns (id),
  check ((role = 'town') = (town_id is not null))
);
comment on table public.user_roles is
  'Moderators, administrators, and people of a town. An administrator may do what a moderator may, and sees the operator''s page; '
  'a town speaks for its own parks, and sees nothing else of the desk.';
comment on column public.user_roles.notified_at is 'When this person was last told by mail that something waits.';
comment on column public.user_roles.factor_id is
  'The second factor that opens the desk. One that came later does not: who stole the password may have made it.';
comment on column public.user_roles.code_hash is
  'Of the code that the administrator hands over, with which its reader makes their factor this one, once and within a week.';
alter table public.user_roles enable row level security;

create index on public.user_roles (town_id);

grant select on public.user_roles to authenticated;

create function private.my_role() returns public.role
language sql stable security definer set search_path = '' as $$
  -- The factor itself is asked for, too: a session stays aal2 after its factor was removed.
  select r.role from public.user_roles r join auth.users a on a.id = r.user_id
    join auth.mfa_factors f on f.id = r.factor_id and f.user_id = r.user_id and f.status = 'verified'
  where r.user_id = auth.uid() and auth.jwt() ->> 'aal' = 'aal2'
    and (a.banned_until is null or a.banned_until <= now())
    and not private.is_limited(r.user_id)
$$;
comment on function private.my_role is
  'The caller''s role at the desk; null without one, before the second factor, and while the caller is limited, suspended or banned.';

create function private.is_moderator() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(private.my_role() >= 'moderator', false)
$$;
grant execute on function private.is_moderator() to authenticated;

create function private.require_role(p_role public.role default 'moderator') returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  -- Operators come with the service key, or with SQL and no caller at all.
  if coalesce(auth.role(), 'service_role') = 'service_role' then
    return null;
  end if;
  if coalesce(private.my_role() < p_role, true) then
    perform private.fail('desk_closed', 'This is for moderators, with their second factor.', '42501');
  end if;
  return auth.uid();
end
$$;
comment on function private.require_role is
  'The id of a caller with this role or a higher one, null for an operator; refuses everybody else with the same words.';

create policy "users see their own role" on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.user_roles as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

insert into private.exports (relation, part, is_list, statement) values
  ('public.user_roles', 'role', false,
    $$select to_jsonb(r) - '{user_id,factor_id,code_hash,town_id}'::text[]
      || jsonb_build_object('town', (select t.name from private.towns t where t.id = r.town_id))
    from public.user_roles r where r.user_id = $1$$);

create function private.role_code_hash(p_code text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(upper(regexp_replace(left(p_code, 100), '[^[:alnum:]]', '', 'g')), 'utf8'))
$$;

create function private.new_code() returns text
language sql volatile set search_path = '' as $$
  select regexp_replace(upper(left(encode(sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid()), 'utf8')), 'hex'), 20)),
    '(.{5})(?=.)', '\1-', 'g')
$$;
