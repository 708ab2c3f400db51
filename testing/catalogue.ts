// Reads the whole catalogue of a database's schemas as text, so that two databases can be compared.
import type pg from 'pg';

/** Definitions by object type and name, such as `function public.check_in(bigint,uuid[])`. */
export type Catalogue = Map<string, string>;

/** The compared schemas: ours and those on which our objects depend. The schemas that record migrations differ by design. */
const SCHEMAS = `n.nspname in ('public', 'private', 'extensions', 'auth', 'storage', 'realtime')`;
const NOT_OF_EXTENSION = (classid: string, oid: string) =>
  `not exists (select from pg_depend e where e.classid = '${classid}'::regclass and e.objid = ${oid} and e.deptype = 'e')`;
const ACL = (acl: string, owner: string, kind: string) =>
  `(select coalesce(string_agg(format('%s:%s%s', coalesce(g.rolname, 'public'), x.privilege_type, case when x.is_grantable then '*' else '' end), ' ' order by g.rolname, x.privilege_type), '')
    from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) x left join pg_roles g on g.oid = x.grantee where x.grantee <> ${owner})`;

/** Each query returns the columns `object` and `definition`. */
const QUERIES = [
  `select 'schema ' || n.nspname as object, ${ACL('n.nspacl', 'n.nspowner', 'n')} || coalesce(' ' || obj_description(n.oid, 'pg_namespace'), '') as definition
   from pg_namespace n where ${SCHEMAS}`,
  `select 'extension ' || x.extname, n.nspname from pg_extension x join pg_namespace n on n.oid = x.extnamespace`,
  `select 'type ' || format_type(t.oid, null), (select coalesce(string_agg(quote_literal(v.enumlabel), ', ' order by v.enumsortorder), '') from pg_enum v where v.enumtypid = t.oid)
     || ' ' || ${ACL('t.typacl', 't.typowner', 'T')} || coalesce(' ' || obj_description(t.oid, 'pg_type'), '')
   from pg_type t join pg_namespace n on n.oid = t.typnamespace where ${SCHEMAS} and (t.typtype in ('e', 'd', 'r') or exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c')) and ${NOT_OF_EXTENSION('pg_type', 't.oid')}`,
  `select case c.relkind when 'v' then 'view ' when 'S' then 'sequence ' else 'table ' end || n.nspname || '.' || c.relname,
     concat_ws(E'\\n', 'persistence ' || c.relpersistence::text, 'row security ' || c.relrowsecurity || ' ' || c.relforcerowsecurity,
       'options ' || array_to_string(c.reloptions, ', '), 'replica identity ' || c.relreplident::text,
       'grants ' || ${ACL('c.relacl', 'c.relowner', 'r')}, 'comment ' || obj_description(c.oid, 'pg_class'),
       case when c.relkind = 'v' then pg_get_viewdef(c.oid) end,
       (select format('%s from %s by %s within %s and %s%s', format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, case when s.seqcycle then ' cycle' else '' end) from pg_sequence s where s.seqrelid = c.oid),
       (select 'owned by ' || d.refobjid::regclass || '.' || a.attname from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S'))
   from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${SCHEMAS} and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${NOT_OF_EXTENSION('pg_class', 'c.oid')}`,
  `select 'column ' || n.nspname || '.' || c.relname || '.' || a.attname,
     concat_ws(E'\\n', 'place ' || row_number() over (partition by c.oid order by a.attnum), format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
       'collation ' || (select o.collname from pg_collation o where o.oid = a.attcollation and o.collname <> 'default'),
       case when a.attidentity <> '' then 'identity ' || a.attidentity::text end, case when a.attgenerated <> '' then 'generated' end,
       'default ' || (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = c.oid and d.adnum = a.attnum),
       case when a.attacl is not null then 'grants ' || ${ACL('a.attacl', 'c.relowner', 'c')} end, 'comment ' || col_description(c.oid, a.attnum))
   from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
   where ${SCHEMAS} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'c') and a.attnum > 0 and not a.attisdropped and ${NOT_OF_EXTENSION('pg_class', 'c.oid')}`,
  `select 'constraint ' || k.conname || ' on ' || n.nspname || '.' || c.relname, concat_ws(' ', pg_get_constraintdef(k.oid), case when not k.convalidated then 'not valid' end, obj_description(k.oid, 'pg_constraint'))
   from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace where ${SCHEMAS} and k.contype <> 't'`,
  `select 'index ' || n.nspname || '.' || i.relname, pg_get_indexdef(x.indexrelid) || case when x.indisvalid then '' else ' not valid' end || coalesce(' ' || obj_description(i.oid, 'pg_class'), '')
   from pg_index x join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace where ${SCHEMAS}`,
  `select 'trigger ' || t.tgname || ' on ' || n.nspname || '.' || c.relname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled::text, obj_description(t.oid, 'pg_trigger'))
   from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where ${SCHEMAS} and not t.tgisinternal`,
  `select 'function ' || n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
     concat_ws(E'\\n', pg_get_functiondef(p.oid), 'grants ' || ${ACL('p.proacl', 'p.proowner', 'f')}, 'comment ' || obj_description(p.oid, 'pg_proc'))
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${SCHEMAS} and p.prokind in ('f', 'p') and ${NOT_OF_EXTENSION('pg_proc', 'p.oid')}`,
  `select 'policy "' || p.policyname || '" on ' || p.schemaname || '.' || p.tablename,
     concat_ws(E'\\n', lower(p.permissive), p.cmd, array_to_string(p.roles, ', '), 'using ' || p.qual, 'with check ' || p.with_check,
       (select obj_description(o.oid, 'pg_policy') from pg_policy o where o.polname = p.policyname and o.polrelid = format('%I.%I', p.schemaname, p.tablename)::regclass))
   from pg_policies p`,
  `select 'default privileges of ' || coalesce(n.nspname, 'everything') || ' for ' || d.defaclobjtype::text,
     (select coalesce(string_agg(format('%s:%s', coalesce(g.rolname, 'public'), x.privilege_type), ' ' order by g.rolname, x.privilege_type), '')
      from aclexplode(d.defaclacl) x left join pg_roles g on g.oid = x.grantee where x.grantee <> d.defaclrole)
   from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace`,
  `select 'publication ' || p.pubname, concat_ws(' ', p.puballtables, p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate, p.pubviaroot,
     (select string_agg(t.schemaname || '.' || t.tablename || ' ' || coalesce(t.rowfilter, '') || coalesce(array_to_string(t.attnames, ','), ''), ', ' order by t.schemaname, t.tablename) from pg_publication_tables t where t.pubname = p.pubname))
   from pg_publication p`,
  // Rows that the schemas insert.
  `select 'bucket ' || b.id, (to_jsonb(b) - 'created_at' - 'updated_at')::text from storage.buckets b`,
];

/** Returns all objects of our schemas: types, tables, columns, constraints, indexes, triggers, functions, policies and grants. */
export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  // With an empty search path, PostgreSQL writes all names with their schema.
  await client.query(`begin; set local search_path = ''`);
  const catalogue: Catalogue = new Map();
  for (const query of QUERIES) {
    const { rows } = await client.query<[string, string]>({ text: query, rowMode: 'array' });
    for (const [object, definition] of rows) {
      if (catalogue.has(object)) throw new Error(`There are two of ${object}.`);
      catalogue.set(object, definition);
    }
  }
  await client.query('commit');
  return catalogue;
}

/**
 * Returns every row of our tables. After a first start, these are rows that the schemas insert, such as types, limits and settings.
 */
export async function readRows(client: pg.ClientBase): Promise<Catalogue> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select t.oid::regclass::text as name from pg_class t
     where t.relkind = 'r' and t.relnamespace in ('public'::regnamespace, 'private'::regnamespace)`,
  );
  const catalogue: Catalogue = new Map();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${name} t`,
    );
    for (const { row } of rows) catalogue.set(`row of ${name}: ${row}`, '');
  }
  return catalogue;
}

interface CatalogueDifferences {
  gone: string[];
  added: string[];
  changed: string[];
}

/** Returns the objects that exist in one database only or differ, sorted. */
export function differences(before: Catalogue, after: Catalogue): CatalogueDifferences {
  const sorted = (names: Iterable<string>) => [...names].sort();
  return {
    gone: sorted([...before.keys()].filter((name) => !after.has(name))),
    added: sorted([...after.keys()].filter((name) => !before.has(name))),
    changed: sorted(
      [...before.keys()].filter((name) => after.has(name) && after.get(name) !== before.get(name)),
    ),
  };
}
