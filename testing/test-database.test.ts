// The test harness's own ground: each test gets a migrated database of its own.
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './test-host.ts';

test('a copy of the template has the roles that Supabase has', async () => {
  const client = new pg.Client(await createTestDatabase());
  await client.connect();
  const { rows } = await client.query<{ rolname: string }>(
    `select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role') order by 1`,
  );
  await client.end();
  expect(rows.map((row) => row.rolname)).toEqual(['anon', 'authenticated', 'service_role']);
});
