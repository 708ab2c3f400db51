// Catalog queries for tables, views, keys, functions and types.

const USER_SCHEMA = `n.nspname not in ('information_schema') and n.nspname !~ '^pg_'`;

interface ColumnRow {
  number: number;
  name: string;
  type: string;
  /** The base type of a domain, otherwise the type itself, such as `jsonb`. */
  base: string;
  default: string | null;
}

export interface RelationRow {
  oid: number;
  schema: string;
  name: string;
  view: boolean;
  /** True for a partition or a composite type, which requests cannot use. */
  internal: boolean;
  columns: ColumnRow[] | null;
}

export const RELATIONS = `
  select c.oid::int8 as oid, n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as view,
    c.relispartition or c.relkind = 'c' as internal,
    (select json_agg(json_build_object(
        'number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'base', coalesce(b.typname, t.typname),
        'default', case when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid),
          case when a.attidentity <> '' then
            format('nextval(%L)', pg_get_serial_sequence(c.oid::regclass::text, a.attname)) end) end
      ) order by a.attnum)
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_type b on b.oid = nullif(t.typbasetype, 0)
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p', 'c') and ${USER_SCHEMA}`;

export interface KeyRow {
  relation: number;
  primary: boolean;
  columns: number[];
}

export const UNIQUE_KEYS = `
  select i.indrelid::int8 as relation, i.indisprimary as primary,
    (select json_agg(k) from unnest(i.indkey[0:i.indnkeyatts - 1]) as k) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
  where i.indisunique and i.indpred is null and i.indexprs is null and ${USER_SCHEMA}`;

export interface ForeignKeyRow {
  name: string;
  source: number;
  target: number;
  sourceColumns: number[];
  targetColumns: number[];
}

export const FOREIGN_KEYS = `
  select conname as name, conrelid::int8 as source, confrelid::int8 as target,
    to_json(conkey) as "sourceColumns", to_json(confkey) as "targetColumns"
  from pg_constraint where contype = 'f' and conparentid = 0 order by conname`;

export interface ViewRow {
  oid: number;
  definition: string;
}

export const VIEWS = `
  select c.oid::int8 as oid, pg_get_viewdef(c.oid) as definition
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('v', 'm') and ${USER_SCHEMA}
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

export interface RoutineRow {
  name: string;
  volatility: 'i' | 's' | 'v';
  returnsSet: boolean;
  returnType: string;
  /** The OID of the table or composite type that the function returns. */
  returnRelation: number | null;
  returnsComposite: boolean;
  defaults: number;
  names: string[] | null;
  /** The mode of each parameter: i in, o out, b inout, v variadic, t table column; null if all are in. */
  modes: string[] | null;
  types: string[] | null;
  firstArgumentRelation: number | null;
}

export const ROUTINES = `
  select p.proname as name, p.provolatile as volatility, p.proretset as "returnsSet",
    format_type(p.prorettype, null) as "returnType", nullif(rt.typrelid, 0)::int8 as "returnRelation",
    rt.typtype = 'c' or p.prorettype = 'record'::regtype
      or coalesce(p.proargmodes::text[] && '{t,b,o}', false) as "returnsComposite",
    p.pronargdefaults as defaults, to_json(p.proargnames) as names, to_json(p.proargmodes) as modes,
    (select json_agg(format_type(a.type, null) order by a.position)
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as a(type, position)) as types,
    (select nullif(typrelid, 0)::int8 from pg_type where oid = p.proargtypes[0]) as "firstArgumentRelation"
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_type rt on rt.oid = p.prorettype
  where n.nspname = 'public' and p.prokind = 'f' and rt.typname not in ('trigger', 'event_trigger')
  order by p.proname, p.oid`;

export interface TypeRow {
  name: string;
  type: string;
}

export const TYPES = `
  select t.typname as name, format_type(t.oid, null) as type
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where t.typtype in ('b', 'd', 'e', 'r', 'm') and n.nspname in ('public', 'extensions', 'pg_catalog')
  order by n.nspname = 'pg_catalog'`;
