-- Users: the public profile of an account, and the user's consents.

create type public.theme as enum ('light', 'dark');

create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 80 and name !~ '[[:cntrl:]]'),
  hidden boolean not null default false,
  theme public.theme,
  language public.language not null default 'en',
  created_at timestamptz not null default now(),
  picture text,
  show_friends boolean not null default false,
  show_favourites boolean not null default false
);
comment on table public.users is 'The public profile of an account.';
comment on column public.users.hidden is
  '"Hide me": not found in searches; only friends, and users to whom this user sent a request, see the page.';
comment on column public.users.theme is 'Null if the app follows the device''s theme.';
comment on column public.users.picture is 'The path in the bucket users of a photo of their first dog that has one; null if there is none.';
comment on column public.users.show_friends is 'True if friends see this user''s friends.';
comment on column public.users.show_favourites is 'True if friends see this user''s favourite parks.';
alter table public.users enable row level security;

create table private.user_consents (
  user_id uuid primary key references public.users (id) on delete cascade,
  age_confirmed_at timestamptz,
  terms_accepted_at timestamptz,
  licence_agreed_at timestamptz
);
comment on table private.user_consents is
  'When a user confirmed to be old enough (the year of birth is not stored), accepted the terms, and agreed to publish contributed facts '
  'under the ODbL.';
alter table private.user_consents enable row level security;

grant select on public.users to authenticated;
grant update (name, hidden, theme, language, show_friends, show_favourites) on public.users to authenticated;

-- The index contains the ID, because thousands of users may have the same name and the first ones by ID are shown.
create index users_name_start on public.users (private.fold_text(name) text_pattern_ops, id);
create index users_name_trgm on public.users using gin (private.fold_text(name) extensions.gin_trgm_ops);

create function private.is_name_allowed(p_name text) returns boolean
language sql immutable set search_path = '' as $$
  -- The product's name is found anywhere in a word. If it is written with spaces, only whole words count, because 'Backpack Parker'
  -- is a valid name.
  select p_name <> '' and not private.has_link(p_name) and n.latin !~ 'packpark|(^| )p *a *c *k *p *a *r *k( |$)'
    and n.hebrew !~ 'פא?קפא?רק|(^| )פ *א? *ק *פ *א? *ר *ק( |$)'
    and n.arabic !~ 'باكبارك|(^| )ب *ا *ك *ب *ا *ر *ك( |$)'
  from (
    select
      -- The name in lower case without accents. Greek and Cyrillic letters that look like Latin ones are replaced.
      regexp_replace(
        translate(regexp_replace(lower(normalize(p_name, nfkd)), '[\u0300-\u036f]', '', 'g'), 'аαрρсϲкκ40', 'aappcckkao'),
        '[^a-z ]', '', 'g') as latin,
      regexp_replace(p_name, '[^\u05d0-\u05ea ]', '', 'g') as hebrew,
      regexp_replace(p_name, '[^\u0620-\u064a ]', '', 'g') as arabic
  ) n
$$;
comment on function private.is_name_allowed is
  'Returns false for an empty name, a name that impersonates the product, and a name with a link, which friend requests would send to '
  'strangers.';

create function private.check_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.name := private.clean_name(new.name);
  -- Signups, the seed and operators have no caller, and their names are not rejected.
  if auth.uid() is not null and not private.is_name_allowed(new.name) then
    perform private.fail('name_not_allowed', 'A name has letters that can be seen, has no link, and is not the name of the product.');
  end if;
  -- Renaming is limited, because names appear in requests and pushes and could be abused to send messages.
  if auth.uid() is not null and tg_op = 'UPDATE' and new.name <> old.name then
    perform private.limit_action(new.id, 'rename');
    perform private.reject_unconfirmed_age(new.id);
  end if;
  return new;
end
$$;
create trigger check_name before insert or update of name on public.users
  for each row execute function private.check_name();

-- A signup may contain another person's email address. So the public profile, which other users can find, contact and see, is
-- created only when the address is confirmed, or immediately if the site does not require that.
create function private.create_user() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  given jsonb := coalesce(new.raw_user_meta_data, '{}');
  language public.language := case when given ->> 'language' = any (enum_range(null::public.language)::text[])
    then (given ->> 'language')::public.language else private.site_language() end;
  name text := btrim(left(coalesce(nullif(private.clean_name(given ->> 'full_name'), ''), private.clean_name(given ->> 'name'), ''), 80));
begin
  -- If the address of an existing account is confirmed again, the profile already exists.
  if exists (select from public.users u where u.id = new.id) then
    return null;
  end if;
  -- Apple may not provide a name. The email address cannot replace it, because the part before the @ is private.
  insert into public.users (id, name, language)
  values (new.id, case when private.is_name_allowed(name) then name else private.messages(language) ->> 'new_user' end,
    language);
  insert into private.user_consents (user_id, age_confirmed_at)
  values (new.id, case when given -> 'age_confirmed' = 'true' then now() end);
  return null;
end
$$;
create trigger create_user after insert on auth.users for each row
  when (coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.create_user();
create trigger create_confirmed_user after update on auth.users for each row
  when (coalesce(old.email_confirmed_at, old.phone_confirmed_at, old.last_sign_in_at) is null
    and coalesce(new.email_confirmed_at, new.phone_confirmed_at, new.last_sign_in_at) is not null)
  execute function private.create_user();

create function private.require_user() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid;
begin
  -- Bans are checked here too. The auth service checks them only when it issues a token, which is valid for up to an hour.
  select u.id into me from public.users u join auth.users a on a.id = u.id
  where u.id = auth.uid() and (a.banned_until is null or a.banned_until <= now());
  if me is null then
    perform private.fail('not_logged_in', 'Log in first.', '42501');
  end if;
  if not private.second_factor_done() then
    perform private.fail('second_factor_required', 'Give the code of the second factor first.', '42501');
  end if;
  return me;
end
$$;
comment on function private.require_user is
  'The caller''s ID. Fails if the caller is not logged in, has not passed the second factor or is suspended, or if the account was '
  'deleted but its token is still valid.';

create function private.my_language() returns public.language
language sql stable security definer set search_path = '' as $$
  select coalesce((select u.language from public.users u where u.id = private.uid()), private.site_language())
$$;

create function private.is_old_enough(p_user_id uuid) returns boolean
language sql stable as $$
  select exists (select from private.user_consents c where c.user_id = p_user_id and c.age_confirmed_at is not null)
$$;
comment on function private.is_old_enough is
  'Returns true if this user has confirmed their age. Before that, other users cannot see or find them.';

create function private.is_shown(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.is_old_enough(p_user_id)
$$;
comment on function private.is_shown is 'Like private.is_old_enough, for policies, which run with the caller''s privileges.';
grant execute on function private.is_shown(uuid) to authenticated;

create function private.reject_unconfirmed_age(p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  -- The signup form for emails asks for the age, but logins with Google and Apple do not.
  if not private.is_old_enough(p_user_id) then
    perform private.fail('age_required', 'Confirm that you are old enough first.');
  end if;
end
$$;

create function private.require_age() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  perform private.reject_unconfirmed_age(me);
  return me;
end
$$;
comment on function private.require_age is 'The caller''s ID, for actions that others can see. Fails until the age is confirmed.';

create function private.require_consent() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  given private.user_consents;
begin
  select c.* into given from private.user_consents c where c.user_id = private.require_user();
  if given.terms_accepted_at is null then
    perform private.fail('terms_required', 'Accept the terms of use before the first post.');
  end if;
  perform private.reject_limited(given.user_id);
  return private.require_age();
end
$$;
comment on function private.require_consent is
  'The caller''s ID. Fails until the terms are accepted and the age is confirmed, and while a moderator has paused posting.';

create function private.require_contributor() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  me uuid := private.require_consent();
begin
  if not exists (select from private.user_consents c where c.user_id = me and c.licence_agreed_at is not null) then
    perform private.fail('licence_required', 'Agree first that facts about parks are published under the ODbL.');
  end if;
  return me;
end
$$;
comment on function private.require_contributor is
  'The caller''s ID. Fails until the terms, the age and the licence of contributed facts are confirmed.';

-- Friendships and blocks decide who sees whom; the policy for select is in friendships.sql.
create policy "users can change themselves" on public.users for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));
create policy "nothing before the second factor" on public.users as restrictive for all to authenticated
  using ((select private.second_factor_done())) with check ((select private.second_factor_done()));

create function public.my_consents() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('age_confirmed', c.age_confirmed_at is not null, 'terms_accepted', c.terms_accepted_at is not null,
    'licence_agreed', c.licence_agreed_at is not null)
  from private.user_consents c where c.user_id = private.require_user()
$$;

create function public.accept_terms(p_licence boolean default false) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  me uuid := private.require_user();
begin
  update private.user_consents c
  set terms_accepted_at = coalesce(c.terms_accepted_at, now()),
    licence_agreed_at = case when p_licence then coalesce(c.licence_agreed_at, now()) else c.licence_agreed_at end
  where c.user_id = me;
  if p_licence then
    delete from private.unlicensed_contributions u where u.user_id = me;
  end if;
end
$$;
comment on function public.accept_terms is
  'p_licence: whether the displayed terms included publishing facts under the ODbL. It then also applies to the caller''s earlier '
  'contributions.';

create function public.confirm_age() returns void
language sql volatile security definer set search_path = '' as $$
  update private.user_consents c set age_confirmed_at = coalesce(c.age_confirmed_at, now()) where c.user_id = private.require_user()
$$;

grant execute on function public.my_consents(), public.accept_terms(boolean), public.confirm_age() to authenticated;

insert into private.exports (relation, part, is_list, statement) values
  ('public.users', 'user', false, $$select to_jsonb(u) from public.users u where u.id = $1$$),
  ('private.user_consents', 'consents', false, $$select to_jsonb(c) - 'user_id' from private.user_consents c where c.user_id = $1$$);
