// Filters, and/or trees and `order`: what decides which rows come, and in which order.
import type { Condition, Filter, IsValue, Logic, OrderTerm, Test } from '#/host/rest/ast.ts';
import { MAX_DEPTH, Scanner } from '#/host/rest/scanner.ts';

/** Operators as SQL writes them. */
const OPERATORS: Record<string, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
  isdistinct: 'is distinct from',
};
const QUANTIFIABLE = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch']);
const SEARCHES: Record<string, string> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
};

const OPERATION = /([a-z]+)(?:\(([\p{L}\p{N}_ $]+)\))?\./uy;
const IS_VALUE = /(?:not_null|null|true|false|unknown)(?=[,)]|$)/iy;

function listElement(scanner: Scanner): string {
  const start = scanner.position;
  const quoted = scanner.quoted();
  if (quoted !== null && (scanner.done || scanner.match(/(?=[,)])/y))) return quoted;
  scanner.position = start;
  return scanner.match(/[^,)]*/y)?.[0] ?? '';
}

function list(scanner: Scanner): string[] {
  scanner.expect('(');
  const values: string[] = [];
  // `in.()` is an empty list: it matches nothing.
  if (scanner.eat(')')) return values;
  do values.push(listElement(scanner));
  while (scanner.eat(','));
  scanner.expect(')');
  return values;
}

/** A value inside a tree ends at a comma or a bracket, unless it is quoted or an array literal. */
function treeValue(scanner: Scanner): string {
  const start = scanner.position;
  const array = scanner.match(/\{[^{}]*\}(?=[,)]|$)/y);
  if (array) return array[0];
  scanner.position = start;
  return listElement(scanner);
}

/** Whether a value starts like a filter; a function's GET arguments do not. */
export function looksLikeFilter(value: string): boolean {
  const [, word = ''] = /^(?:not\.)?([a-z]+)(?:\([^)]*\))?\./.exec(value) ?? [];
  return (
    word === 'in' ||
    word === 'is' ||
    Object.hasOwn(OPERATORS, word) ||
    Object.hasOwn(SEARCHES, word)
  );
}

function test(scanner: Scanner, value: () => string): Test {
  const start = scanner.position;
  const [, word = '', argument = null] = scanner.match(OPERATION) ?? [];
  if (word === 'is' && argument === null) {
    const found = scanner.match(IS_VALUE);
    if (!found) scanner.fail('null or trilean value (unknown, true, false)');
    return { kind: 'is', value: found[0].toLowerCase() as IsValue };
  }
  if (word === 'in' && argument === null) return { kind: 'in', values: list(scanner) };
  const parser = Object.hasOwn(SEARCHES, word) ? SEARCHES[word] : undefined;
  if (parser !== undefined) return { kind: 'search', parser, config: argument, value: value() };
  const operator = Object.hasOwn(OPERATORS, word) ? OPERATORS[word] : undefined;
  if (operator !== undefined) {
    if (argument === null) return { kind: 'compare', operator, quantifier: null, value: value() };
    if ((argument === 'any' || argument === 'all') && QUANTIFIABLE.has(word))
      return { kind: 'compare', operator, quantifier: argument, value: value() };
  }
  scanner.position = start;
  return scanner.fail('"not" or operator (eq, gt, ...)');
}

function filter(scanner: Scanner, field: Filter['field'], inTree: boolean): Filter {
  const negated = scanner.eat('not.');
  const parsed = test(scanner, () => (inTree ? treeValue(scanner) : scanner.rest()));
  return { kind: 'filter', field, negated, test: parsed };
}

function condition(scanner: Scanner, depth: number): Condition {
  if (depth > MAX_DEPTH) scanner.fail('fewer levels of and/or');
  scanner.spaces();
  const logic = scanner.match(/(not\.)?(and|or)(?=[ \t]*\()/y);
  if (!logic) {
    const field = scanner.field();
    scanner.expect('.');
    const parsed = filter(scanner, field, true);
    scanner.spaces();
    return parsed;
  }
  scanner.spaces();
  scanner.expect('(');
  const conditions: Condition[] = [];
  do conditions.push(condition(scanner, depth + 1));
  while (scanner.eat(','));
  scanner.expect(')');
  scanner.spaces();
  const [, not, operator] = logic;
  return {
    kind: 'logic',
    operator: operator as Logic['operator'],
    negated: not !== undefined,
    conditions,
  };
}

/** The value of a parameter such as `age=gte.18`. @throws PGRST100 */
export function parseFilter(field: Filter['field'], value: string): Filter {
  const scanner = new Scanner(value, 'filter');
  const parsed = filter(scanner, field, false);
  scanner.end();
  return parsed;
}

/** The value of `or=(...)`; `operator` is the key: `and`, `or`, `not.and` or `not.or`. @throws PGRST100 */
export function parseLogic(operator: string, value: string): Condition {
  const scanner = new Scanner(`${operator}${value}`, 'logic tree');
  if (!/^[ \t]*\(/.test(value)) {
    scanner.position = operator.length;
    scanner.fail('"("');
  }
  const parsed = condition(scanner, 0);
  scanner.end();
  return parsed;
}

/** @throws PGRST100 */
export function parseOrder(value: string): OrderTerm[] {
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
