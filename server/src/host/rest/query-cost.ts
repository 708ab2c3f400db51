// Estimates the cost of a query from its shape and the schema, before the query gets a connection. One unit is one comparison with
// each row of a large table.
import type { Condition, Field, Filter } from '#/host/filters/ast.ts';
import { COSTLY } from '#/host/filters/operators.ts';
import {
  emptyLevel,
  type ColumnItem,
  type Level,
  type SelectItem,
} from '#/host/rest/parsed-query.ts';
import type { RequestOptions } from '#/host/rest/statement.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';
import { RestError } from '#/host/rest/errors.ts';

/** Cost of a computed column, which may run any query. */
const COMPUTED = 25;
const CAST = 5;
/** Estimated number of embedded rows per row of the parent. */
const EMBEDDED = 5;
/** Fraction of a large table that is in one page: a page has at most 1000 rows, and a large table about 20 times as many. */
const PAGE = 1 / 20;
/** Fraction of a table that is found by the primary key. */
const BY_KEY = 1 / 1000;

/** Maximum cost for anonymous callers. It is enough for the app's requests. */
const MAX_ANONYMOUS = 100;
/** Requests with a higher cost use the few connections that slow requests share. */
const SLOW_FROM = 100;
const MAX = 2000;

/** The relations that a level may refer to: one, or all relations if the level is named by a foreign key. */
type Relations = readonly Relation[];

const fieldCost = (relations: Relations, { name, path }: Field): number =>
  (relations.some(({ computed }) => computed.has(name)) ? COMPUTED : 0) + path.length / 4;

const filtersOf = (condition: Condition): Filter[] =>
  condition.type === 'logic' ? condition.conditions.flatMap(filtersOf) : [condition];

/** Returns true if the conditions restrict the result to rows with certain primary keys. */
const isByKey = (relations: Relations, conditions: readonly Condition[]): boolean =>
  conditions.some(
    (each) =>
      each.type === 'filter' &&
      !each.negated &&
      each.test.oneOf !== undefined &&
      each.field.path.length === 0 &&
      relations.length > 0 &&
      relations.every(({ primaryKey }) => primaryKey.join() === each.field.name),
  );

const columnCost = (relations: Relations, { field, cast }: ColumnItem): number =>
  1 + fieldCost(relations, field) + (cast === null ? 0 : CAST);

function levelCost(
  schema: Schema,
  relations: Relations,
  items: readonly SelectItem[],
  level: Level,
  page: number,
): number {
  const filters = level.conditions.flatMap(filtersOf);
  const total = (some: Filter[]) =>
    some.reduce((sum, { test, field }) => sum + (test.cost ?? 1) + fieldCost(relations, field), 0);
  // Regular expressions can be costly even for a single row, so their cost is added separately.
  const costly = total(filters.filter(({ test }) => test.cost === COSTLY));
  const conditions = total(filters) - costly;
  const order = level.order.reduce((sum, { field }) => sum + 1 + fieldCost(relations, field), 0);
  const selecting = items.reduce((sum, item) => {
    if (item.type === 'column') return sum + columnCost(relations, item);
    const inner = level.embeds.get(item.alias ?? item.target) ?? level.embeds.get(item.target);
    const target = schema.relations.get(item.target);
    const targets = target ? [target] : [...schema.relations.values()];
    return sum + 1 + EMBEDDED * levelCost(schema, targets, item.items, inner ?? emptyLevel(), 1);
  }, 0);
  const rows = isByKey(relations, level.conditions) ? BY_KEY : 1;
  return (conditions + order) * rows + costly + selecting * page;
}

/**
 * @returns true if the request must share the connections of slow requests
 * @throws RestError 400 PGRST100 if the query is too costly for this type of caller
 */
export function isSlowQuery(
  schema: Schema,
  relation: Relation | undefined,
  { query, anonymous }: RequestOptions,
): boolean {
  const cost = levelCost(schema, relation ? [relation] : [], query.select, query.root, PAGE);
  if (cost > (anonymous ? MAX_ANONYMOUS : MAX))
    throw new RestError(400, 'PGRST100', 'This query would take too long', {
      details: `Its estimated cost is ${Math.ceil(cost)}, of at most ${anonymous ? MAX_ANONYMOUS : MAX}`,
      hint: 'Use fewer patterns, computed columns, casts and embedded resources, or name the rows by their primary key.',
    });
  return cost > SLOW_FROM;
}
