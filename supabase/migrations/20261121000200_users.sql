-- Users: the public half of an account, made when the account is made; and what they agreed to.

create type public.theme as enum ('light', 'dark');

create table public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  name text not null check (char_length(btrim(name)) between 1 and 80 and name !~ '[[:cntrl:]]'),
  hidden boolean not null default false,
  theme public.theme,
  language public.language not null default 'en',
  created_at timestamptz not null default now()
);
comment on table public.users is 'The public half of an account.';
comment on column public.users.hidden is 'Hide me: absent from search; only friends, and people this user sent a request to, see the page.';
comment on column public.users.theme is 'Null follows the device.';

create table private.user_consents (
  user_id uuid primary key references public.users (id) on delete cascade,
  age_confirmed_at timestamptz,
  terms_accepted_at timestamptz
);
comment on table private.user_consents is 'When a user said to be old enough (no birth year is stored) and accepted the terms.';

alter table public.users enable row level security;
alter table private.user_consents enable row level security;

-- Grants ---------------------------------------------------------------------------------------------------------

grant select on public.users to authenticated;
grant update (name, hidden, theme, language) on public.users to authenticated;

-- Indexes --------------------------------------------------------------------------------------------------------

create index users_name_start on public.users (lower(name) text_pattern_ops);
create index users_name_trgm on public.users using gin (lower(name) extensions.gin_trgm_ops);

-- Triggers -------------------------------------------------------------------------------------------------------

create function private.make_user() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  given jsonb := coalesce(new.raw_user_meta_data, '{}');
  spoken public.language := case when given ->> 'language' in ('en', 'he', 'ar') then given ->> 'language' else 'en' end;
  called text := btrim(left(btrim(regexp_replace(
    coalesce(nullif(btrim(given ->> 'full_name'), ''), given ->> 'name', ''), '[[:cntrl:]]', ' ', 'g')), 80));
begin
  insert into public.users (id, name, language) values (
    new.id,
    -- Apple may give no name; the part of the email before the @ is nobody's business.
    coalesce(nullif(called, ''), case spoken when 'he' then 'מהלהקה' when 'ar' then 'من القطيع' else 'From the pack' end),
    spoken
  );
  insert into private.user_consents (user_id, age_confirmed_at)
  values (new.id, case when given -> 'age_confirmed' = 'true' then now() end);
  return null;
end
$$;
create trigger make_user after insert on auth.users for each row execute function private.make_user();

-- Functions ------------------------------------------------------------------------------------------------------

create function private.me() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  me uuid;
begin
  select u.id into me from public.users u where u.id = auth.uid();
  if me is null then
    perform private.fail('not_logged_in', 'Log in first.', '42501');
  end if;
  return me;
end
$$;
comment on function private.me is 'The caller''s id; refuses when not logged in, or when the account is gone but its token is not.';

create function private.require_consent() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  given private.user_consents;
begin
  select c.* into given from private.user_consents c where c.user_id = private.me();
  if given.terms_accepted_at is null then
    perform private.fail('terms_required', 'Accept the terms of use before the first post.');
  end if;
  if given.age_confirmed_at is null then
    perform private.fail('age_required', 'Confirm that you are old enough before the first post.');
  end if;
  return given.user_id;
end
$$;
comment on function private.require_consent is 'The caller''s id; refuses before the terms are accepted and the age is confirmed.';

-- Policies -------------------------------------------------------------------------------------------------------

create policy "users can change themselves" on public.users for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));
-- Who sees whom needs friendships and blocks: see the next migration.

-- RPCs -----------------------------------------------------------------------------------------------------------

create function public.my_consents() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('age_confirmed', c.age_confirmed_at is not null, 'terms_accepted', c.terms_accepted_at is not null)
  from private.user_consents c where c.user_id = private.me()
$$;

create function public.accept_terms() returns void
language sql volatile security definer set search_path = ''
as $$
  update private.user_consents c set terms_accepted_at = coalesce(c.terms_accepted_at, now()) where c.user_id = private.me()
$$;

create function public.confirm_age() returns void
language sql volatile security definer set search_path = ''
as $$
  update private.user_consents c set age_confirmed_at = coalesce(c.age_confirmed_at, now()) where c.user_id = private.me()
$$;

grant execute on function public.my_consents(), public.accept_terms(), public.confirm_age() to authenticated;
