// Parses filters for REST and realtime: `operator.value`, and/or trees, and lists of conditions.
import type { Condition, Filter, Logic, Test } from '#/host/filters/ast.ts';
import { operatorNamed } from '#/host/filters/operators.ts';
import { MAX_DEPTH, Scanner } from '#/host/filters/scanner.ts';

const OPERATION = /([a-z]+)(?:\(([\p{L}\p{N}_ $]+)\))?\./uy;

/** Inside a logic tree a value ends at a comma or a parenthesis, unless it is quoted or an array literal. */
function treeValue(scanner: Scanner): string {
  const start = scanner.position;
  const array = scanner.match(/\{[^{}]*\}(?=[,)]|$)/y);
  if (array) return array[0];
  scanner.position = start;
  return scanner.listElement();
}

/** Returns true if a value starts like a filter. In GET requests to functions, this distinguishes filters from arguments. */
export function looksLikeFilter(value: string): boolean {
  const [, keyword = ''] = /^(?:not\.)?([a-z]+)(?:\([^)]*\))?\./.exec(value) ?? [];
  return operatorNamed(keyword) !== null;
}

function test(scanner: Scanner, value: () => string): Test {
  const start = scanner.position;
  const [, keyword = '', argument = null] = scanner.match(OPERATION) ?? [];
  const read = operatorNamed(keyword)?.({ scanner, argument, value });
  if (read) return read;
  scanner.position = start;
  return scanner.fail('"not" or operator (eq, gt, ...)');
}

/** In a list of conditions a value ends at a comma, unless it is quoted. */
function conditionValue(scanner: Scanner): string {
  const start = scanner.position;
  const quoted = scanner.quoted();
  if (quoted !== null && (scanner.done || scanner.match(/(?=,)/y))) return quoted;
  scanner.position = start;
  return scanner.match(/[^,]*/y)?.[0] ?? '';
}

function filter(
  scanner: Scanner,
  field: Filter['field'],
  value: (scanner: Scanner) => string,
): Filter {
  const negated = scanner.eat('not.');
  const parsed = test(scanner, () => value(scanner));
  return { type: 'filter', field, negated, test: parsed };
}

function condition(scanner: Scanner, depth: number): Condition {
  if (depth > MAX_DEPTH) scanner.fail('fewer levels of and/or');
  scanner.spaces();
  const logic = scanner.match(/(not\.)?(and|or)(?=[ \t]*\()/y);
  if (!logic) {
    const field = scanner.field();
    scanner.expect('.');
    const parsed = filter(scanner, field, treeValue);
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
    type: 'logic',
    operator: operator as Logic['operator'],
    negated: not !== undefined,
    conditions,
  };
}

/** Parses the value of a parameter such as `age=gte.18`. @throws ParseError */
export function parseFilter(field: Filter['field'], value: string): Filter {
  const scanner = new Scanner(value, 'filter');
  const parsed = filter(scanner, field, (rest) => rest.rest());
  scanner.end();
  return parsed;
}

/** Parses the value of `or=(...)`. @param operator the key: `and`, `or`, `not.and` or `not.or` @throws ParseError */
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

/** Parses a list such as `rank=gte.3,kind=in.(a,b)`, all of which must be true. @throws ParseError */
export function parseConditions(value: string): Filter[] {
  const scanner = new Scanner(value, 'filter');
  const filters: Filter[] = [];
  do {
    const field = scanner.field();
    scanner.expect('=');
    filters.push(filter(scanner, field, conditionValue));
  } while (scanner.eat(','));
  scanner.end();
  return filters;
}
