-- Roles at the desk. Every function of the desk calls private.require_role, so access does not depend on screens or clients.

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
comment on table private.towns is 'Towns and their parks: those listed here and those within the area; no personal data.';
comment on column private.towns.area is 'Its points are (longitude, latitude).';
comment on column private.towns.mail is 'The town''s email address for mails about verified hazards; null if there is none.';
comment on column private.towns.mail_code is
  'The hash of the code that was mailed to confirm the email address, empty before it is sent; null once the code was entered.';
alter table private.towns enable row level security;

create table public.user_roles (
  user_id uuid primary key references public.users (id) on delete cascade,
  role public.role not null,
  granted_at timestamptz not null default now(),
  notified_at timestamptz not null default '-infinity',
  mails_unanswered integer not null default 0,
  factor_id uuid,
  code_hash bytea,
  town_id bigint references private.towns (id),
  check ((role = 'town') = (town_id is not null))
);
comment on table public.user_roles is
  'Moderators, administrators, and members of a town. An administrator may do what a moderator may, and sees the operator''s page. A '
  'member of a town acts for the town''s own parks and sees nothing else of the desk.';
comment on column public.user_roles.notified_at is 'When this user was last notified by mail of waiting items.';
comment on column public.user_roles.mails_unanswered is
  'How often this user was notified of waiting items since they last opened one. Each doubles the time until the next.';
comment on column public.user_roles.factor_id is
  'The second factor that opens the desk. A factor added later does not, because an attacker with the password could have added it.';
comment on column public.user_roles.code_hash is
  'The hash of the code that the administrator passes on. Entering the code, once and within a week, activates the desk for the factor '
  'that the user has then.';
alter table public.user_roles enable row level security;

create table private.former_moderators (
  id bigint generated always as identity primary key,
  user_id uuid references public.users (id) on delete set null,
  left_at timestamptz not null default now()
);
comment on table private.former_moderators is
  'When roles of moderators and administrators ended, for 30 days. Publishing one''s own card of a lost dog depends on it.';
alter table private.former_moderators enable row level security;

create index on public.user_roles (town_id);
create index on private.former_moderators (user_id);

create function private.record_former_moderator() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Selects no user if the account is being deleted.
  insert into private.former_moderators (user_id) select (select u.id from public.users u where u.id = old.user_id);
  return null;
end
$$;
create trigger record_former_moderator after delete or update of role on public.user_roles
  for each row when (old.role > 'town') execute function private.record_former_moderator();

create function private.is_only_moderator(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (select from public.user_roles r where r.user_id <> p_user_id and r.role > 'town')
    and not exists (
      select from private.former_moderators f
      where f.user_id is distinct from p_user_id and f.left_at > now() - interval '30 days')
$$;
comment on function private.is_only_moderator is 'Returns false if another user was a moderator or an administrator in the last 30 days.';

grant select on public.user_roles to authenticated;

create function private.my_role() returns public.role
language sql stable security definer set search_path = '' as $$
  -- The factor itself is checked too, because a session stays aal2 after its factor was removed.
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
  -- Operators use the service key, or run SQL without a caller.
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
  'The ID of a caller with this role or a higher one; null for an operator. Fails with the same error for all other callers.';

create policy "users see their own role" on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));
create policy "nothing before the second factor" on public.user_roles as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

insert into private.retention (name, run_order, statement) values
  ('former moderators: 30 days', 50, $$delete from private.former_moderators f where f.left_at < now() - interval '30 days'$$);

insert into private.exports (relation, left_out) values
  ('private.former_moderators', 'only when a role at the desk ended, for 30 days');

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
