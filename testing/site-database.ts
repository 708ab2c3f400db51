// The role and database that docs/deploy.md prescribes for DATABASE_URL, created on a test's server.
import type pg from 'pg';

/**
 * Creates both under one name.
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

/** Drops both, and revokes the API roles that other databases of the server use. */
export async function dropSiteDatabase(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`drop database ${name} with (force)`);
  await admin.query(`revoke anon, authenticated, service_role from ${name} cascade`);
  await admin.query(`drop role ${name}`);
}
