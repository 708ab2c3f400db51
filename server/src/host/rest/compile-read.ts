// Compiles the SELECT of a request: columns, embeds as lateral joins, filters, order and page.
import { embedBytes, measuredColumnsSql, measuredSql } from '#/host/rest/response-size.ts';
import {
  emptyLevel,
  type ColumnItem,
  type EmbedItem,
  type Level,
  type OrderTerm,
  type SelectItem,
} from '#/host/rest/parsed-query.ts';
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

/** Maximum number of rows in a response, even without a limit in the request. */
const MAX_ROWS = 1000;

interface Item {
  sql: string;
  /** The key in the response; `*` if the item selects all columns of the source. */
  name: string;
}

interface Join extends Embedded {
  alias: string;
  toOne: boolean;
  sql: string;
  items: Item[];
}

interface Select {
  items: Item[];
  joins: Join[];
  where: string[];
  tail: string;
}

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

/** `relation(count)` counts rows. PostgreSQL parses `t.count` as the function call `count(t)` if t has no column `count`. */
function isRowCount({ columns, computed }: Relation, { field }: ColumnItem): boolean {
  const { name, path } = field;
  return name === 'count' && path.length === 0 && !columns.has(name) && !computed.has(name);
}

/** The relations on the path to an embed, and the number of to-many relationships among them. */
interface Path {
  relations: readonly Relation[];
  toMany: number;
}

const MAX_ANONYMOUS_TO_MANY = 2;

/**
 * Rejects embeds that are too costly for anonymous callers. Rows multiply with each to-many relationship, and even faster if a path
 * returns to an earlier relation. A table that references itself may occur twice.
 * @throws PGRST100
 */
function checkAnonymousPath({ source, target }: Relationship, { relations, toMany }: Path): void {
  const times = relations.filter((each) => each === target).length;
  if (toMany <= MAX_ANONYMOUS_TO_MANY && times <= (source === target ? 1 : 0)) return;
  throw new RestError(400, 'PGRST100', 'Too many embedded resources in the select parameter', {
    details: `Without a login, no path of embedded resources has a relation twice or more than ${MAX_ANONYMOUS_TO_MANY} to-many relationships`,
  });
}

/** Compiles the SELECTs of one statement. Aliases are numbered across all of them, so they are unique. */
class SelectCompiler {
  readonly #schema: Schema;
  readonly #parameters: Parameters;
  readonly #anonymous: boolean;
  #aliases = 0;
  #embedBytes = 0;

  /** @param anonymous true if the limits of anonymous callers apply */
  constructor(schema: Schema, parameters: Parameters, anonymous: boolean) {
    this.#schema = schema;
    this.#parameters = parameters;
    this.#anonymous = anonymous;
  }

  #alias = (prefix: string): string => `${prefix}${(this.#aliases += 1)}`;

  source(relation: Relation): Source {
    return { relation, alias: this.#alias('t'), used: new Set() };
  }

  /** @throws 42703, 42704, PGRST100, PGRST108, PGRST118, PGRST120, PGRST200, PGRST201 */
  select(source: Source, wanted: SelectItem[], level: Level, capped: boolean, path?: Path): Select {
    if (!path) this.#embedBytes = embedBytes(wanted);
    const way = path ?? { relations: [source.relation], toMany: 0 };
    const used = new Set<string>();
    const items: Item[] = [];
    const joins: Join[] = [];
    for (const item of wanted) {
      if (item.type === 'column') {
        items.push(this.#column(source, item));
        continue;
      }
      const name = item.alias ?? item.target;
      const key = level.embeds.has(name) ? name : item.target;
      used.add(key);
      const sorting = level.order.filter(({ relation }) => relation === name);
      const join = this.#embed(source, item, level.embeds.get(key) ?? emptyLevel(), sorting, way);
      if (!item.spread && joins.some((other) => other.name === join.name))
        throw new RestError(400, '42712', `table name "${join.name}" specified more than once`);
      joins.push(join);
      if (item.items.length > 0) items.push(...join.items);
    }
    for (const name of level.embeds.keys()) if (!used.has(name)) throw notEmbedded(name);
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
    const toOne = isToOne(relationship);
    const child = this.source(relationship.target);
    const alias = this.#alias('e');
    const reached = { relations, toMany: toMany + (toOne ? 0 : 1) };
    if (this.#anonymous) checkAnonymousPath(relationship, reached);
    const select = this.select(child, item.items, level, !toOne, {
      ...reached,
      relations: [...relations, child.relation],
    });
    const order = sorting.map(
      ({ field }, i) => `, ${fieldSql(child, field, this.#parameters)} as packpark_order_${i}`,
    );
    const rows = {
      names: columnNames(select, child.relation),
      columns: select.items.map(({ sql }) => sql).join(', '),
      order: order.join(''),
      body: this.#rowsOf(relationship, parent, child, select),
      bytes: this.#embedBytes,
    };
    const name = item.alias ?? item.target;
    const form = item.spread ? SPREAD : JSON_VALUE;
    const exists = `${alias}.${form.found} is not null`;
    const lateral = `lateral (${toOne ? form.row(rows) : form.rows(rows)}) as ${alias}`;
    return {
      name,
      alias,
      toOne,
      exists,
      needed: item.inner,
      sql: item.inner ? ` join ${lateral} on ${exists}` : ` left join ${lateral} on true`,
      items: item.spread
        ? rows.names.map((each) => ({ sql: `${alias}.${quote(each)}`, name: each }))
        : [
            {
              sql: `${toOne ? `${alias}.j` : `coalesce(${alias}.j, '[]')`} as ${quote(name)}`,
              name,
            },
          ],
    };
  }

  /** Returns the SELECT of an embed after its columns: the rows that belong to one row of the parent. */
  #rowsOf(relationship: Relationship, parent: Source, child: Source, select: Select): string {
    let from = `${child.relation.sql} as ${child.alias}`;
    let near = child;
    const on: string[] = [];
    if (relationship.junction) {
      const { relation, columns } = relationship.junction;
      near = this.source(relation);
      from += ` cross join ${relation.sql} as ${near.alias}`;
      for (const [here, there] of columns)
        on.push(`${columnSql(near, here)} = ${columnSql(child, there)}`);
    }
    for (const [here, there] of relationship.columns)
      on.push(`${columnSql(near, there)} = ${columnSql(parent, here)}`);
    const joins = select.joins.map(({ sql }) => sql).join('');
    return `from ${from}${joins} where ${[...on, ...select.where].join(' and ')}${select.tail}`;
  }
}

interface EmbedRows {
  names: string[];
  columns: string;
  /** SQL of additional columns by which the parent is ordered. */
  order: string;
  body: string;
  bytes: number;
}

/** How an embed appears in the SELECT of its parent, with at most one row and with several rows. */
interface EmbedForm {
  /** A column that is null if the embed has no row. */
  found: string;
  row(rows: EmbedRows): string;
  rows(rows: EmbedRows): string;
}

/** The embed becomes one JSON value. */
const JSON_VALUE: EmbedForm = {
  found: 'j',
  row: ({ columns, order, body }) =>
    order === ''
      ? `select row_to_json(r.*) as j from (select ${columns} ${body}) as r`
      : `select (select row_to_json(r.*) from (select ${columns}) as r) as j${order} ${body}`,
  rows({ columns, body, bytes }) {
    const objects = `select row_to_json(q.*) as j from (select ${columns} ${body}) as q`;
    return `select json_agg(m.j) as j from (${measuredSql(objects, bytes)}) as m`;
  },
};

/** The embed becomes columns of the parent. For a to-many relationship they are arrays. */
const SPREAD: EmbedForm = {
  found: 'packpark_found',
  row: ({ columns, order, body }) =>
    `select ${columns === '' ? '' : `${columns}, `}true as packpark_found${order} ${body}`,
  rows({ names, columns, body, bytes }) {
    const arrays = names
      .map(quote)
      .map(
        (name) => `coalesce(json_agg(r.${name}) filter (where r.packpark_fits), '[]') as ${name}, `,
      );
    const rows = measuredColumnsSql(`select ${columns} ${body}`, bytes);
    return `select ${arrays.join('')}nullif(count(*), 0) as packpark_found from (${rows}) as r`;
  },
};

/** Returns the keys of a row. `*` is replaced by the columns of the relation. */
const columnNames = ({ items }: Select, { columns }: Relation): string[] =>
  items.flatMap(({ name }) => (name === '*' ? [...columns.keys()] : [name]));

function notEmbedded(name: string): RestError {
  return new RestError(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}

export interface RowQuery {
  /** The SELECT of the requested page. */
  page: string;
  /** FROM and WHERE of all rows, regardless of the page. */
  all: string;
  names: string[];
  /** The columns of the relation that the query reads; `*` for all. */
  used: ReadonlySet<string>;
  /** True if a row of the result may be larger than a row of the relation. */
  mayGrow: boolean;
}

interface RowSource {
  relation: Relation;
  /** The FROM item that contains the relation's rows. */
  from: string;
  items: SelectItem[];
  level: Level;
  /** True if the number of rows has a maximum. */
  capped: boolean;
  /** True if the limits of anonymous callers apply. */
  anonymous: boolean;
}

/** @throws 42703, 42704, PGRST100, PGRST108, PGRST118, PGRST120, PGRST200, PGRST201 */
export function compileRows(
  schema: Schema,
  parameters: Parameters,
  { relation, from, items, level, capped, anonymous }: RowSource,
): RowQuery {
  const compiler = new SelectCompiler(schema, parameters, anonymous);
  const source = compiler.source(relation);
  const select = compiler.select(source, items, level, capped);
  const where = select.where.length > 0 ? ` where ${select.where.join(' and ')}` : '';
  const joins = (list: Join[]) => list.map(({ sql }) => sql).join('');
  const head = `from ${from} as ${source.alias}`;
  const names = columnNames(select, relation);
  return {
    page: `select ${select.items.map(({ sql }) => sql).join(', ')} ${head}${joins(select.joins)}${where}${select.tail}`,
    all: `${head}${joins(select.joins.filter(({ needed }) => needed))}${where}`,
    names,
    used: source.used,
    mayGrow: select.joins.length > 0 || names.length > relation.columns.size,
  };
}
