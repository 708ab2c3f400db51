// Compiles columns, filters and order terms to SQL. Names come from the schema cache, and values become parameters.
import type { Condition, Field, Filter } from '#/host/filters/ast.ts';
import type { OrderTerm } from '#/host/rest/parsed-query.ts';
import { RestError, unknownColumn } from '#/host/rest/errors.ts';
import type { Relation } from '#/host/rest/schema-cache.ts';
import { quote, type Parameters } from '#/host/rest/sql-text.ts';

/** A relation in a statement, with its alias. */
export interface Source {
  relation: Relation;
  alias: string;
  /** The columns of the relation that the statement uses; `*` for all. */
  used: Set<string>;
}

/** The properties of a joined embed that the filters of its parent need. */
export interface Embedded {
  name: string;
  /** SQL that is true if the embed has a row. */
  exists: string;
  /** True if a filter tests the embed for null. Then a query that only counts rows needs the join, too. */
  needed: boolean;
}

/** @throws 42703 */
export function columnSql(source: Source, name: string): string {
  const { relation, alias, used } = source;
  if (!relation.columns.has(name) && !relation.computed.has(name))
    throw unknownColumn(relation.name, name);
  used.add(name);
  return `${alias}.${quote(name)}`;
}

/**
 * Returns the SQL for a column or a path into a JSON column. Columns of other types are converted to JSON first.
 * @throws 42703
 */
export function fieldSql(source: Source, field: Field, parameters: Parameters): string {
  const column = columnSql(source, field.name);
  if (field.path.length === 0) return column;
  const base = source.relation.columns.get(field.name)?.base ?? '';
  const start = base === 'json' || base === 'jsonb' ? column : `to_jsonb(${column})`;
  const steps = field.path.map(({ text, key }) => {
    const operand = typeof key === 'number' ? `(${key})` : `${parameters.add(key)}::text`;
    return ` ${text ? '->>' : '->'} ${operand}`;
  });
  return `(${start}${steps.join('')})`;
}

function testSql(source: Source, filter: Filter, parameters: Parameters): string {
  const { field, test } = filter;
  const left = fieldSql(source, field, parameters);
  const type = field.path.length === 0 ? source.relation.columns.get(field.name)?.base : undefined;
  return test.sql(left, parameters, type ?? null);
}

function embedSql(embedded: Embedded, { negated, test, field }: Filter): string {
  if (!test.testsNull) {
    throw new RestError(400, 'PGRST120', `Bad operator on the '${field.name}' embedded resource`, {
      details: 'Only is null or not is null filters are allowed on embedded resources',
    });
  }
  embedded.needed = true;
  return (test.testsNull === 'null') === negated ? embedded.exists : `not ${embedded.exists}`;
}

/**
 * Returns the SQL for a filter or a logic tree.
 * @param embeds the embedded resources of `source`; filters can only test them for null
 * @throws 42703, PGRST120
 */
export function conditionSql(
  source: Source,
  condition: Condition,
  parameters: Parameters,
  embeds: readonly Embedded[] = [],
): string {
  if (condition.type === 'logic') {
    const parts = condition.conditions.map((each) =>
      conditionSql(source, each, parameters, embeds),
    );
    return `${condition.negated ? 'not ' : ''}(${parts.join(` ${condition.operator} `)})`;
  }
  const { field, negated, test } = condition;
  const embedded =
    field.path.length === 0 ? embeds.find(({ name }) => name === field.name) : undefined;
  // If a column and an embed have the same name, only a null test refers to the embed.
  if (embedded && (test.testsNull || !source.relation.columns.has(field.name)))
    return embedSql(embedded, condition);
  const sql = testSql(source, condition, parameters);
  return negated ? `not (${sql})` : `(${sql})`;
}

export const directionSql = ({ descending, nulls }: OrderTerm): string =>
  `${descending ? ' desc' : ''}${nulls === null ? '' : ` nulls ${nulls}`}`;
