-- The ground rules: nothing is callable or writable unless granted, internal objects live in schema private, every refusal
-- has a code, and a session without its second factor is nobody.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create schema private;

-- Defaults -------------------------------------------------------------------------------------------------------

-- New functions are executable by everybody unless this is taken back globally: per-schema defaults can only add.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

-- Policies and views call helpers in private with the caller's rights; REST exposes only public, so nobody calls them directly.
grant usage on schema private to anon, authenticated, service_role;

-- Functions ------------------------------------------------------------------------------------------------------

create function private.fail(code text, explanation text, state text default 'P0001') returns void
language plpgsql set search_path = ''
as $$
begin
  raise exception using errcode = state, message = code, hint = explanation;
end
$$;
comment on function private.fail is 'Refuses with a code in snake_case (the message) and an English sentence (the hint).';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;

-- A password alone is not enough for a user who has a second factor, whatever client asks: until the code is given, a
-- session sees what an anonymous caller sees and writes nothing. Three guards together see to that: each table for users
-- has the restrictive policy "nothing before the second factor"; functions that run with their owner's rights, which
-- policies do not reach, ask private.uid() or private.require_user(); views ask private.uid(). Tables that anonymous
-- callers read (parks, their names and photos) need the guard only for what users see of their own.
create function private.second_factor_done() returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(auth.jwt() ->> 'aal' = 'aal2', false)
    or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
$$;
comment on function private.second_factor_done is 'Whether the session gave its second factor, or the user has none.';

create function private.uid() returns uuid
language sql stable security definer set search_path = ''
as $$
  select case when private.second_factor_done() then auth.uid() end
$$;
comment on function private.uid is 'The caller''s id for what only this user may see; null for anonymous callers, and before the second factor.';

grant execute on function private.second_factor_done() to authenticated;
grant execute on function private.uid() to anon, authenticated;
