// Checks that the login role has the privileges that docs/deploy.md requires, before anything is created with it.
import type pg from 'pg';
import { StartError } from '#/host/lib/start-error.ts';

/** Roles are shared by all databases of a server, so the API's roles may exist already. */
const RIGHTS = `
  with api as (select oid, rolname, rolbypassrls from pg_roles where rolname in ('anon', 'authenticated', 'service_role'))
  select d.datname as database, pg_get_userbyid(d.datdba) as owner, me.rolname as role,
    me.rolsuper or (select count(*) = 3 from api) or me.rolcreaterole as creates,
    me.rolsuper or exists (select from api where rolname = 'service_role' and rolbypassrls)
      or me.rolbypassrls and current_setting('server_version_num')::integer >= 160000 as bypasses,
    me.rolsuper or not exists (
      select from api where not pg_has_role(me.oid, api.oid, 'MEMBER WITH ADMIN OPTION')
        and not (me.rolcreaterole and current_setting('server_version_num')::integer < 160000)) as switches
  from pg_database d, pg_roles me
  where d.datname = current_database() and me.rolname = current_user
    -- We skip this check on the Supabase platform, which already has the roles, and where a role of the platform owns the database.
    and not exists (select from pg_roles where rolname = 'supabase_admin')`;

interface Rights {
  database: string;
  owner: string;
  role: string;
  /** True if the API's roles exist or can be created. */
  creates: boolean;
  /** True if service_role bypasses row-level security or can be altered to. */
  bypasses: boolean;
  /** True if the login role is, or can become, a member of each existing API role. */
  switches: boolean;
}

function missingRight({ database, owner, role, creates, bypasses, switches }: Rights) {
  if (owner !== role)
    return `The database "${database}" belongs to the role "${owner}", and DATABASE_URL logs in as "${role}", whose tables "${owner}" could not read: log in as "${owner}", or run as a superuser: alter database "${database}" owner to "${role}"`;
  if (!creates)
    return `The role "${role}" of DATABASE_URL may not create roles: run as a superuser: alter role "${role}" createrole bypassrls`;
  if (!bypasses)
    return `The role "${role}" of DATABASE_URL may not create a role that bypasses row-level security (PostgreSQL 15 allows that to superusers only): run as a superuser: create role service_role nologin noinherit bypassrls; where that role exists already: alter role service_role bypassrls`;
  if (!switches)
    return `The role "${role}" of DATABASE_URL may not use the roles anon, authenticated and service_role, which another role created: run as a superuser: grant anon, authenticated, service_role to "${role}" with admin option`;
  return null;
}

/** @throws StartError with the statement that grants the missing privilege */
export async function checkSiteRole(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Rights>(RIGHTS);
  const [rights] = rows;
  const missing = rights && missingRight(rights);
  if (missing) throw new StartError(`${missing}. Nothing was changed.`);
}
