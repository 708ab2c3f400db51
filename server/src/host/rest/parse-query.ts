// Parses the query string into the parameters of each resource.
import type { Field } from '#/host/filters/ast.ts';
import {
  ALL,
  emptyLevel,
  type Level,
  type OrderTerm,
  type ParsedQuery,
} from '#/host/rest/parsed-query.ts';
import { badRange } from '#/host/rest/errors.ts';
import { looksLikeFilter, parseFilter, parseLogic } from '#/host/filters/parse.ts';
import { parseNames, parseSelect } from '#/host/rest/parse-select.ts';
import { MAX_DEPTH, Scanner } from '#/host/filters/scanner.ts';

function levelAt(root: Level, path: string[]): Level {
  let level = root;
  for (const name of path) {
    let next = level.embeds.get(name);
    if (!next) level.embeds.set(name, (next = emptyLevel()));
    level = next;
  }
  return level;
}

/** Splits a key such as `actors.roles.data->>name`: the field `data->>name` of the embed `roles` of the embed `actors`. */
function parsePath(key: string): { path: string[]; field: Field } {
  const scanner = new Scanner(key, 'tree path');
  const path: string[] = [];
  for (;;) {
    const field = scanner.field();
    if (!scanner.eat('.')) {
      scanner.end();
      return { path, field };
    }
    if (field.path.length > 0 || path.length >= MAX_DEPTH) scanner.fail('end of input');
    path.push(field.name);
  }
}

/** Parses a limit or an offset. Like PostgREST, ignores values that are not numbers; a negative limit is an error. */
function rowCount(value: string): number | null {
  if (!/^[+-]?\d+$/.test(value)) return null;
  const number = Number(value);
  if (number < 0) throw badRange('Limit should be greater than or equal to zero.');
  return Math.min(number, Number.MAX_SAFE_INTEGER);
}

/**
 * Parses a query string.
 * @param forFunction null for a table; for a function, `get` if the URL contains its arguments
 * @throws PGRST100, PGRST103
 */
export function parseQuery(
  parameters: Iterable<[string, string]>,
  forFunction: 'get' | 'post' | null,
): ParsedQuery {
  const query: ParsedQuery = {
    select: ALL,
    root: emptyLevel(),
    columns: null,
    onConflict: null,
    args: [],
  };
  for (const [key, value] of parameters) {
    if (key === 'apikey') continue;
    if (key === 'select') {
      query.select = parseSelect(value);
      continue;
    }
    if (key === 'columns') {
      query.columns = value === '' ? null : parseNames(value, 'columns parameter');
      continue;
    }
    if (key === 'on_conflict') {
      query.onConflict = value === '' ? null : parseNames(value, 'on_conflict parameter');
      continue;
    }
    const last = key.slice(key.lastIndexOf('.') + 1);
    if (last === 'order' || last === 'limit' || last === 'offset') {
      const level = levelAt(query.root, parsePath(key).path);
      if (last === 'order') level.order = value === '' ? [] : parseOrder(value);
      else if (last === 'limit') level.limit = rowCount(value);
      else level.offset = rowCount(value) ?? 0;
    } else if (last === 'and' || last === 'or') {
      const { path } = parsePath(key);
      const negated = path.at(-1) === 'not';
      const level = levelAt(query.root, negated ? path.slice(0, -1) : path);
      level.conditions.push(parseLogic(negated ? `not.${last}` : last, value));
    } else if (forFunction !== null && !key.includes('.') && !looksLikeFilter(value)) {
      if (forFunction === 'get') query.args.push([key, value]);
    } else {
      const { path, field } = parsePath(key);
      levelAt(query.root, path).conditions.push(parseFilter(field, value));
    }
  }
  return query;
}

/** @throws ParseError */
function parseOrder(value: string): OrderTerm[] {
  const scanner = new Scanner(value, 'order');
  const terms: OrderTerm[] = [];
  do {
    let field = scanner.field();
    let relation: string | null = null;
    if (field.path.length === 0 && scanner.eat('(')) {
      relation = field.name;
      field = scanner.field();
      scanner.expect(')');
    }
    const direction = scanner.match(/\.(asc|desc)(?=[.,]|\s*$)/y);
    const nulls = scanner.match(/\.nulls(first|last)(?=,|\s*$)/y);
    scanner.spaces();
    if (!scanner.done && !scanner.text.startsWith(',', scanner.position))
      scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"');
    terms.push({
      relation,
      field,
      descending: direction?.[1] === 'desc',
      nulls: (nulls?.[1] as 'first' | 'last' | undefined) ?? null,
    });
  } while (scanner.eat(','));
  return terms;
}
