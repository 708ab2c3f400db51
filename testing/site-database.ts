// Creates the role and the database that docs/deploy.md prescribes for DATABASE_URL, on a test's server.
import type pg from 'pg';

/**
 * Creates a role and a database with the same name.
 * @param admin a superuser's connection
 * @param adminUrl connection to the database `postgres` as `postgres`
 * @returns the role's connection to its database
 */
export async function siteDatabase(
  admin: pg.Client,
  adminUrl: string,
  name = 'packpark',
): Promise<string> {
  await admin.query(`create role ${name} login createrole bypassrls`);
  await admin.query(`create database ${name} owner ${name}`);
  return adminUrl.replace('postgres@', `${name}@`).replace('/postgres?', `/${name}?`);
}

/** Drops the role and the database, and the role's memberships in the API roles, which other databases use. */
export async function dropSiteDatabase(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`drop database ${name} with (force)`);
  await admin.query(`revoke anon, authenticated, service_role from ${name} cascade`);
  await admin.query(`drop role ${name}`);
}
