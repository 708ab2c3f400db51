-- The initial state of a Supabase database before its first migration: roles, schemas and the functions that read the caller's
-- token. Applied only by the one-machine host, never on Supabase. Each service has its own bootstrap file.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin noinherit', wanted);
      exception when duplicate_object or unique_violation then
        -- Roles are shared by all databases of a server, so the first start of another database may have created this role
        -- concurrently.
        null;
      end;
    end if;
  end loop;
  -- The role is altered only if needed: if two sessions alter a role concurrently, one fails even if nothing changes.
  if exists (select from pg_catalog.pg_roles where rolname = 'service_role' and not rolbypassrls) then
    alter role service_role bypassrls;
  end if;
end
$$;
-- The host switches to the caller's role in each transaction. Unless the login role is a superuser, it must be a member of that
-- role.
grant anon, authenticated, service_role to current_user;

create schema if not exists extensions;
create schema if not exists auth;
create schema if not exists storage;

grant usage on schema public, auth, storage, extensions to anon, authenticated, service_role;

-- Supabase grants the API roles all privileges on new tables in public, and row-level security restricts them. Migrations revoke
-- what they do not need.
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;

create function auth.jwt() returns jsonb
language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$$;

create function auth.uid() returns uuid
language sql stable as $$
  select nullif(auth.jwt() ->> 'sub', '')::uuid
$$;

create function auth.role() returns text
language sql stable as $$
  select auth.jwt() ->> 'role'
$$;

create function auth.email() returns text
language sql stable as $$
  select auth.jwt() ->> 'email'
$$;

create publication supabase_realtime;
