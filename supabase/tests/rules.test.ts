// What is frozen about the rules: who may call what and reach which columns, and that nothing is left without rules.
import { expect, test } from 'vitest';
import { createFixtures } from './fixtures.ts';

const fixtures = await createFixtures();

const list = (sql: string) =>
  fixtures.admin.column(`select line::text from (${sql}) lines order by line::text collate "C"`);

test('every table has row-level security', async () => {
  expect(
    await list(`select c.oid::regclass::text as line from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind in ('r', 'p') and not c.relrowsecurity`),
  ).toEqual([]);
});

test('every view is a barrier', async () => {
  expect(
    await list(`select c.relname as line from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
      and not coalesce('security_barrier=true' = any (c.reloptions), false)`),
  ).toEqual([]);
});

test("every function that runs with its owner's rights looks names up nowhere", async () => {
  expect(
    await list(`select p.oid::regprocedure::text as line from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosecdef
      and not coalesce('search_path=""' = any (p.proconfig), false)`),
  ).toEqual([]);
});

test('every foreign key has an index', async () => {
  // But for the list of kinds: its rows never go.
  expect(
    await list(`select k.conrelid::regclass || '.' || k.conname as line from pg_constraint k
      where k.contype = 'f' and k.confrelid <> 'private.notification_kinds'::regclass and k.connamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indpred is null
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`),
  ).toEqual([]);
});

/** Who may call which functions, and do what with which columns of the public schema: `npx vitest run <this file> -u` writes it anew. */
test('the rights are those of rights.txt', async () => {
  const calls = await list(`
    select grantee || ': call ' || p.oid::regproc as line from pg_proc p,
      unnest('{anon,authenticated,service_role,public}'::text[]) grantee
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and has_function_privilege(grantee, p.oid, 'execute')
      and not (grantee = 'service_role' and p.pronamespace = 'private'::regnamespace)`);
  const columns =
    await list(`select grantee || ': ' || privilege || ' ' || relation || case when columns is not distinct from all_columns then '' else ' (' || array_to_string(columns, ', ') || ')' end as line
      from (
        select g.grantee::text, lower(g.privilege_type) as privilege, g.table_name::text as relation,
          array_agg(g.column_name::text order by g.column_name) as columns,
          (select array_agg(a.column_name::text order by a.column_name) from information_schema.columns a where a.table_schema = 'public' and a.table_name = g.table_name) as all_columns
        from information_schema.column_privileges g
        where g.table_schema = 'public' and g.grantee in ('anon', 'authenticated', 'PUBLIC') and g.privilege_type in ('SELECT', 'INSERT', 'UPDATE')
        group by g.grantee, g.privilege_type, g.table_name
        union all
        select grantee, 'delete', table_name, null, null from information_schema.table_privileges
        where table_schema = 'public' and grantee in ('anon', 'authenticated', 'PUBLIC') and privilege_type = 'DELETE'
      ) granted`);
  expect(calls.filter((line) => line.startsWith('public: '))).toEqual([]);
  await expect(`${[...calls, ...columns].join('\n')}\n`).toMatchFileSnapshot('rights.txt');
});
