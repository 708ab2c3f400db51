// Generates TypeScript from a database: its types, and the values of its enums.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type pg from 'pg';
import { ROOT } from './freshness.ts';

const SCHEMA = `
with relations as (
  select c.oid, c.relname as name, c.relkind = 'v' as is_view
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
)
select jsonb_build_object(
  'enums', (
    select coalesce(jsonb_agg(jsonb_build_object('name', t.typname, 'values', (
      select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)) order by t.typname), '[]')
    from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'e'),
  'relations', (
    select jsonb_agg(jsonb_build_object(
      'name', r.name, 'isView', r.is_view,
      'columns', (
        select jsonb_agg(jsonb_build_object(
          'name', a.attname, 'type', a.atttypid::regtype::text,
          'element', (select e.oid::regtype::text from pg_type e join pg_type t on t.typelem = e.oid where t.oid = a.atttypid and t.typcategory = 'A'),
          'isNull', case when r.is_view then coalesce(col_description(r.oid, a.attnum) !~ 'never null', true) else not a.attnotnull end,
          'hasDefault', a.atthasdef or a.attidentity <> '',
          'isGenerated', a.attgenerated <> '' or a.attidentity = 'a') order by a.attname)
        from pg_attribute a where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped),
      'relationships', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'name', k.conname, 'target', k.confrelid::regclass::text,
          'columns', (select jsonb_agg(a.attname order by o) from unnest(k.conkey) with ordinality u (n, o) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n),
          'targetColumns', (select jsonb_agg(a.attname order by o) from unnest(k.confkey) with ordinality u (n, o) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n),
          'isOneToOne', exists (
            select from pg_index i where i.indrelid = k.conrelid and i.indisunique and i.indpred is null
              and (select array_agg(x order by x) from unnest(i.indkey::int2[]) x) = (select array_agg(x order by x) from unnest(k.conkey) x))
        ) order by k.conname), '[]')
        from pg_constraint k join pg_class t on t.oid = k.confrelid and t.relnamespace = 'public'::regnamespace
        where k.conrelid = r.oid and k.contype = 'f')
    ) order by r.name) from relations r),
  'functions', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', p.proname, 'isSet', p.proretset,
      'returns', p.prorettype::regtype::text,
      'returnsElement', (select e.oid::regtype::text from pg_type e join pg_type t on t.typelem = e.oid where t.oid = p.prorettype and t.typcategory = 'A'),
      'defaults', p.pronargdefaults,
      'args', (
        select coalesce(jsonb_agg(jsonb_build_object('name', n, 'mode', coalesce(m, 'i'), 'type', t::regtype::text,
          'element', (select e.oid::regtype::text from pg_type e join pg_type y on y.typelem = e.oid where y.oid = t and y.typcategory = 'A')) order by o), '[]')
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes) with ordinality u (t, n, m, o))
    ) order by p.proname), '[]')
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype)
) as schema`;

interface Typed {
  type: string;
  /** The element type of an array. */
  element: string | null;
}
interface Relation {
  name: string;
  isView: boolean;
  columns: (Typed & { name: string; isNull: boolean; hasDefault: boolean; isGenerated: boolean })[];
  relationships: {
    name: string;
    target: string;
    columns: string[];
    targetColumns: string[];
    isOneToOne: boolean;
  }[];
}
interface Routine {
  name: string;
  isSet: boolean;
  returns: string;
  returnsElement: string | null;
  defaults: number;
  args: (Typed & { name: string; mode: string })[];
}
/** The result of the query SCHEMA. */
interface Schema {
  enums: { name: string; values: string[] }[];
  relations: Relation[];
  functions: Routine[];
}

const NUMBERS = ['smallint', 'integer', 'bigint', 'real', 'double precision', 'numeric'];

function scalar(type: string, schema: Schema) {
  const name = type.replace(/^public\./, '').replaceAll('"', '');
  if (schema.enums.some((known) => known.name === name))
    return `Database['public']['Enums']['${name}']`;
  if (NUMBERS.includes(name)) return 'number';
  if (name === 'boolean') return 'boolean';
  if (name === 'json' || name === 'jsonb') return 'Json';
  if (name === 'void') return 'undefined';
  return 'string';
}
const typeOf = ({ type, element }: Typed, schema: Schema) =>
  element ? `${scalar(element, schema)}[]` : scalar(type, schema);

type Mode = 'Row' | 'Insert' | 'Update';

function relation(one: Relation, schema: Schema) {
  const column = (mode: Mode) => (c: Relation['columns'][number]) => {
    const optional = mode === 'Update' || (mode === 'Insert' && (c.isNull || c.hasDefault));
    if (mode !== 'Row' && c.isGenerated) return `${c.name}?: never`;
    return `${c.name}${optional ? '?' : ''}: ${typeOf(c, schema)}${c.isNull ? ' | null' : ''}`;
  };
  const block = (mode: Mode) => `${mode}: { ${one.columns.map(column(mode)).join('; ')} }`;
  const links = one.relationships.map(
    (k) =>
      `{ foreignKeyName: '${k.name}'; columns: ${JSON.stringify(k.columns)}; isOneToOne: ${k.isOneToOne}; referencedRelation: '${k.target}'; referencedColumns: ${JSON.stringify(k.targetColumns)} }`,
  );
  const modes = one.isView ? [block('Row')] : [block('Row'), block('Insert'), block('Update')];
  return `${one.name}: { ${modes.join('; ')}; Relationships: [${links.join(', ')}] }`;
}

function routine(one: Routine, schema: Schema) {
  const inputs = one.args.filter((arg) => arg.mode === 'i');
  const outputs = one.args.filter((arg) => arg.mode === 't' || arg.mode === 'o');
  const args = inputs.map(
    (arg, index) =>
      `${arg.name}${index >= inputs.length - one.defaults ? '?' : ''}: ${typeOf(arg, schema)}${index >= inputs.length - one.defaults ? ' | null' : ''}`,
  );
  const row =
    outputs.length > 0
      ? `{ ${outputs.map((arg) => `${arg.name}: ${typeOf(arg, schema)}`).join('; ')} }`
      : typeOf({ type: one.returns, element: one.returnsElement }, schema);
  return `${one.name}: { Args: ${args.length > 0 ? `{ ${args.join('; ')} }` : 'Record<PropertyKey, never>'}; Returns: ${row}${one.isSet ? '[]' : ''} }`;
}

function render(schema: Schema) {
  const tables = schema.relations.filter((one) => !one.isView);
  const views = schema.relations.filter((one) => one.isView);
  const section = (items: string[]) =>
    items.length > 0 ? `{\n${items.join(';\n')}\n}` : 'Record<never, never>';
  return `// Generated by \`npm run generate\` from supabase/schemas. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  __InternalSupabase: { PostgrestVersion: '12' };
  public: {
    Tables: ${section(tables.map((one) => relation(one, schema)))};
    Views: ${section(views.map((one) => relation(one, schema)))};
    Functions: ${section(schema.functions.map((one) => routine(one, schema)))};
    Enums: { ${schema.enums.map((one) => `${one.name}: ${one.values.map((value) => `'${value}'`).join(' | ')}`).join('; ')} };
    CompositeTypes: Record<never, never>;
  };
};

export type Tables<Name extends keyof (Database['public']['Tables'] & Database['public']['Views'])> =
  (Database['public']['Tables'] & Database['public']['Views'])[Name]['Row'];
export type TablesInsert<Name extends keyof Database['public']['Tables']> = Database['public']['Tables'][Name]['Insert'];
export type TablesUpdate<Name extends keyof Database['public']['Tables']> = Database['public']['Tables'][Name]['Update'];
export type Enums<Name extends keyof Database['public']['Enums']> = Database['public']['Enums'][Name];
`;
}

const plural = (name: string) =>
  /s$/.test(name) ? `${name}es` : name.replace(/y$/, 'ie').concat('s');

/** Each enum is a separate constant, so that the app contains only those that it imports. */
const renderEnums = (
  enums: Schema['enums'],
) => `// Generated by \`npm run generate\` from supabase/schemas. Do not edit.
${enums
  // The enum `language` is excluded, because it is generated from shared/languages.ts.
  .filter(({ name }) => name !== 'language')
  .map(
    ({ name, values }) => `
export const ${plural(name).toUpperCase()} = ${JSON.stringify(values)} as const;
export type ${name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())} = (typeof ${plural(name).toUpperCase()})[number];
`,
  )
  .join('')}`;

const formatted = (source: string) =>
  execFileSync(
    process.execPath,
    [path.join(ROOT, 'node_modules/oxfmt/bin/oxfmt'), '--stdin-filepath', 'shared/types.ts'],
    { cwd: ROOT, input: source, encoding: 'utf8' },
  );

/** Returns the files generated from this database, by path. */
export async function databaseTypes(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ schema: Schema }>(SCHEMA);
  if (!rows[0]) throw new Error('The catalogue did not answer.');
  const { schema } = rows[0];
  return {
    'shared/database.types.ts': formatted(render(schema)),
    'shared/enums.ts': formatted(renderEnums(schema.enums)),
  };
}
