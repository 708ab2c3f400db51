// The SELECT of a request: columns, embeds as lateral joins, filters, order and page.
import { embedBytes, measuredColumnsSql, measuredSql } from '#/host/rest/answer-size.ts';
import type { Condition } from '#/host/filters/ast.ts';
import type { ColumnItem, EmbedItem, Level, OrderTerm, SelectItem } from '#/host/rest/ast.ts';
import {
  columnSql,
  conditionSql,
  directionSql,
  fieldSql,
  type Embedded,
  type Source,
} from '#/host/rest/compile-filter.ts';
import { RestError, UnknownNameError } from '#/host/rest/errors.ts';
import { findRelationship, isToOne, type Relationship } from '#/host/rest/relationships.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';
import { quote, type Parameters } from '#/host/rest/sql-text.ts';

/** More rows than this never come in one answer, whether asked for or not. */
const MAX_ROWS = 1000;

interface Item {
  sql: string;
  /** The key in the answer; `*` for all columns of the source. */
  name: string;
}

interface Join extends Embedded {
  alias: string;
  toOne: boolean;
  sql: string;
  items: Item[];
}

/** The parts of one SELECT. */
export interface Select {
  items: Item[];
  joins: Join[];
  where: string[];
  tail: string;
}

const EMPTY: Level = { conditions: [], order: [], limit: null, offset: 0, embeds: new Map() };

function limitSql(level: Level, parameters: Parameters, capped: boolean): string {
  const limit = Math.min(level.limit ?? Infinity, capped ? MAX_ROWS : Infinity);
  return [
    Number.isFinite(limit) ? ` limit ${limit}` : '',
    level.offset > 0 ? ` offset ${parameters.add(String(level.offset))}` : '',
  ].join('');
}

function itemName({ field, alias }: ColumnItem): string {
  if (alias !== null) return alias;
  const key = field.path.findLast((step) => typeof step.key === 'string')?.key;
  return key === undefined ? field.name : String(key);
}

/** PostgreSQL reads `t.count` as the function of t's rows where t has no such column, so `relation(count)` counts them. */
function isRowCount({ columns, computed }: Relation, { field }: ColumnItem): boolean {
  const { name, path } = field;
  return name === 'count' && path.length === 0 && !columns.has(name) && !computed.has(name);
}

/** How an embed was reached: the relations on its way and how many of them brought several rows for each. */
interface Path {
  relations: readonly Relation[];
  toMany: number;
}

const MAX_ANONYMOUS_TO_MANY = 2;

/**
 * Rows multiply with each to-many step, and a way that comes back to a relation multiplies them by themselves. A table's
 * reference to itself is one step, so it may be named once more.
 * @throws PGRST100
 */
function checkAnonymousPath({ source, target }: Relationship, { relations, toMany }: Path): void {
  const times = relations.filter((each) => each === target).length;
  if (toMany <= MAX_ANONYMOUS_TO_MANY && times <= (source === target ? 1 : 0)) return;
  throw new RestError(400, 'PGRST100', 'Too many embedded resources in the select parameter', {
    details: `Without a login, no path of embedded resources has a relation twice or more than ${MAX_ANONYMOUS_TO_MANY} to-many relationships`,
  });
}

/** @throws 42501 for a filter whose cost an anonymous caller would choose */
function checkAnonymousFilter(condition: Condition): void {
  if (condition.kind === 'logic') condition.conditions.forEach(checkAnonymousFilter);
  else if (condition.test.isCostly)
    throw new RestError(401, '42501', 'Log in to filter by regular expression or full text');
}

/** Makes the SELECTs of one statement; aliases are counted through, so that none hides another. */
export class ReadCompiler {
  readonly #schema: Schema;
  readonly #parameters: Parameters;
  readonly #anonymous: boolean;
  /** Whether one of the relations may run code that looks at the request. */
  readsRequest = false;
  #aliases = 0;
  #embedBytes = 0;

  /** @param anonymous whether the bounds of callers without a login apply */
  constructor(schema: Schema, parameters: Parameters, anonymous: boolean) {
    this.#schema = schema;
    this.#parameters = parameters;
    this.#anonymous = anonymous;
  }

  source(relation: Relation): Source {
    this.readsRequest ||= relation.readsRequest;
    return { relation, alias: `t${(this.#aliases += 1)}`, used: new Set() };
  }

  /** @throws 42703, 42704, PGRST100, PGRST108, PGRST118, PGRST120, PGRST200, PGRST201 */
  select(source: Source, wanted: SelectItem[], level: Level, capped: boolean, path?: Path): Select {
    if (!path) this.#embedBytes = embedBytes(wanted);
    const way = path ?? { relations: [source.relation], toMany: 0 };
    const used = new Set<string>();
    const items: Item[] = [];
    const joins: Join[] = [];
    for (const item of wanted) {
      if (item.kind === 'column') {
        items.push(this.#column(source, item));
        continue;
      }
      const name = item.alias ?? item.target;
      const key = level.embeds.has(name) ? name : item.target;
      used.add(key);
      const sorting = level.order.filter(({ relation }) => relation === name);
      const join = this.#embed(source, item, level.embeds.get(key) ?? EMPTY, sorting, way);
      if (!item.spread && joins.some((other) => other.name === join.name))
        throw new RestError(400, '42712', `table name "${join.name}" specified more than once`);
      joins.push(join);
      if (item.items.length > 0) items.push(...join.items);
    }
    for (const name of level.embeds.keys()) if (!used.has(name)) throw notEmbedded(name);
    if (this.#anonymous) level.conditions.forEach(checkAnonymousFilter);
    const where = level.conditions.map((condition) =>
      conditionSql(source, condition, this.#parameters, joins),
    );
    const order = level.order.map((term) => this.#order(source, term, level.order, joins));
    const tail =
      (order.length > 0 ? ` order by ${order.join(', ')}` : '') +
      limitSql(level, this.#parameters, capped);
    return { items, joins, where, tail };
  }

  #column(source: Source, item: ColumnItem): Item {
    if (item.field.name === '*') {
      source.used.add('*');
      return { sql: `${source.alias}.*`, name: '*' };
    }
    const name = itemName(item);
    let sql = isRowCount(source.relation, item)
      ? 'count(*)'
      : fieldSql(source, item.field, this.#parameters);
    if (item.cast !== null) {
      const type = this.#schema.types.get(item.cast.toLowerCase());
      if (type === undefined)
        throw new UnknownNameError(400, '42704', `type "${item.cast}" does not exist`);
      sql = `cast(${sql} as ${type})`;
    }
    return { sql: `${sql} as ${quote(name)}`, name };
  }

  #order(source: Source, term: OrderTerm, all: OrderTerm[], joins: Join[]): string {
    if (term.relation === null)
      return fieldSql(source, term.field, this.#parameters) + directionSql(term);
    const join = joins.find(({ name }) => name === term.relation);
    if (!join) throw notEmbedded(term.relation);
    if (!join.toOne) {
      throw new RestError(
        400,
        'PGRST118',
        `A related order on '${term.relation}' is not possible`,
        {
          details: `'${source.relation.name}' and '${term.relation}' do not form a many-to-one or one-to-one relationship`,
        },
      );
    }
    const index = all.filter(({ relation }) => relation === term.relation).indexOf(term);
    return `${join.alias}.packpark_order_${index}${directionSql(term)}`;
  }

  #embed(
    parent: Source,
    item: EmbedItem,
    level: Level,
    sorting: OrderTerm[],
    { relations, toMany }: Path,
  ): Join {
    const relationship = findRelationship(this.#schema, parent.relation, item.target, item.hint);
    const child = this.source(relationship.target);
    const alias = child.alias.replace('t', 'e');
    const toOne = isToOne(relationship);
    const reached = { relations, toMany: toMany + (toOne ? 0 : 1) };
    if (this.#anonymous) checkAnonymousPath(relationship, reached);
    const select = this.select(child, item.items, level, !toOne, {
      ...reached,
      relations: [...relations, child.relation],
    });

    let from = `${relationship.target.sql} as ${child.alias}`;
    let near = child;
    const on: string[] = [];
    if (relationship.junction) {
      const { relation, columns } = relationship.junction;
      const junction = this.source(relation);
      from += ` cross join ${relation.sql} as ${junction.alias}`;
      for (const [here, there] of columns)
        on.push(`${columnSql(junction, here)} = ${columnSql(child, there)}`);
      near = junction;
    }
    for (const [here, there] of relationship.columns)
      on.push(`${columnSql(near, there)} = ${columnSql(parent, here)}`);
    const columns = select.items.map(({ sql }) => sql).join(', ');
    const joins = select.joins.map(({ sql }) => sql).join('');
    const body = `from ${from}${joins} where ${[...on, ...select.where].join(' and ')}${select.tail}`;
    const extra = sorting
      .map(({ field }, i) => `, ${fieldSql(child, field, this.#parameters)} as packpark_order_${i}`)
      .join('');

    const join: Join = {
      name: item.alias ?? item.target,
      alias,
      toOne,
      exists: `${alias}.${item.spread ? 'packpark_found' : 'j'} is not null`,
      needed: item.inner,
      sql: '',
      items: [],
    };
    let lateral: string;
    if (item.spread) {
      const names = select.items.flatMap(({ name }) =>
        name === '*' ? [...child.relation.columns.keys()] : [name],
      );
      join.items = names.map((name) => ({ sql: `${alias}.${quote(name)}`, name }));
      lateral = toOne
        ? `select ${[columns, 'true as packpark_found'].filter(Boolean).join(', ')}${extra} ${body}`
        : `select ${[...names.map((name) => `coalesce(json_agg(r.${quote(name)}) filter (where r.packpark_fits), '[]') as ${quote(name)}`), 'nullif(count(*), 0) as packpark_found'].join(', ')} from (${measuredColumnsSql(`select ${columns} ${body}`, this.#embedBytes)}) as r`;
    } else {
      const value = toOne ? `${alias}.j` : `coalesce(${alias}.j, '[]')`;
      join.items = [{ sql: `${value} as ${quote(join.name)}`, name: join.name }];
      if (!toOne)
        lateral = `select json_agg(m.j) as j from (${measuredSql(`select row_to_json(q.*) as j from (select ${columns} ${body}) as q`, this.#embedBytes)}) as m`;
      else if (extra === '')
        lateral = `select row_to_json(r.*) as j from (select ${columns} ${body}) as r`;
      else
        lateral = `select (select row_to_json(r.*) from (select ${columns}) as r) as j${extra} ${body}`;
    }
    join.sql = item.inner
      ? ` join lateral (${lateral}) as ${alias} on ${join.exists}`
      : ` left join lateral (${lateral}) as ${alias} on true`;
    return join;
  }
}

function notEmbedded(name: string): RestError {
  return new RestError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}

/**
 * The SELECT's text over `from`, the one that counts all its rows regardless of the page, and whether a row of it may be
 * longer than one of the source.
 */
export function readSql(
  from: string,
  source: Source,
  select: Select,
): { page: string; count: string; grows: boolean } {
  const where = select.where.length > 0 ? ` where ${select.where.join(' and ')}` : '';
  const head = `from ${from} as ${source.alias}`;
  const joins = (list: Join[]) => list.map(({ sql }) => sql).join('');
  const wildcards = select.items.filter(({ name }) => name === '*').length;
  return {
    grows:
      select.joins.length > 0 ||
      select.items.length + wildcards * (source.relation.columns.size - 1) >
        source.relation.columns.size,
    page: `select ${select.items.map(({ sql }) => sql).join(', ')} ${head}${joins(select.joins)}${where}${select.tail}`,
    count: `${head}${joins(select.joins.filter(({ needed }) => needed))}${where}`,
  };
}
