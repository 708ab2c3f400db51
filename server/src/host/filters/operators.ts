// The filter operators. To add one, add a row to OPERATORS: how its value is parsed, and its meaning.
import type { Test } from '#/host/filters/ast.ts';
import type { Scanner } from '#/host/filters/scanner.ts';
import { isTooDeep } from '#/host/lib/json-problem.ts';
import { compare, like, textOf } from '#/host/filters/values.ts';

/** The text of a filter after its operator. */
interface Source {
  scanner: Scanner;
  /** The text in parentheses after the operator, as in `eq(any)`, or null. */
  argument: string | null;
  /** Reads a plain value. Where it ends depends on the context, for example inside `or=(…)`. */
  value(): string;
}

/** @returns null if the operator does not take this argument @throws ParseError */
type Reader = (source: Source) => Test | null;

interface ComparisonTraits {
  /** Allows `eq(any).{1,2}` and `eq(all).{1,2}`. */
  quantifiable?: true;
  /** Tests a record's value. Undefined if only PostgreSQL can evaluate the operator; realtime then rejects the filter. */
  holds?: (value: unknown, given: string) => boolean | null;
  /** Converts the value for SQL; by default the value is passed unchanged. */
  toSql?: (given: string) => string;
  isEquality?: true;
  /** Returns the cost of the operator with this value; see `Test.cost`. */
  cost?: (given: string) => number;
}

/** Returns a reader for a binary operator, such as `=` or `<`. */
const comparison =
  (
    operator: string,
    { quantifiable, holds, toSql, isEquality, cost }: ComparisonTraits = {},
  ): Reader =>
  ({ scanner, argument, value }) => {
    const isQuantifier = argument === 'any' || argument === 'all';
    if (argument !== null && !(isQuantifier && quantifiable)) return null;
    const given = value();
    if (isTooDeep(given)) scanner.fail('JSON of fewer levels');
    const sql: Test['sql'] = (left, parameters) => {
      const right = parameters.add(toSql ? toSql(given) : given);
      return `${left} ${operator} ${argument === null ? right : `${argument}(${right})`}`;
    };
    const common = { sql, ...(cost && { cost: cost(given) }) };
    if (argument !== null || !holds) return common;
    return {
      ...common,
      holds: (found) => holds(found, given),
      ...(isEquality && { equals: given, oneOf: [given] }),
    };
  };

/** As in SQL, comparing with null returns null. */
const ordered =
  (test: (difference: number) => boolean) =>
  (value: unknown, given: string): boolean | null =>
    textOf(value) === null ? null : test(compare(value, given));

/**
 * Cost of a regular expression, or of a text that is parsed for each row. The caller controls the work, and indexes do not help.
 */
export const COSTLY = 500;

/** Each wildcard may make PostgreSQL compare the rest of the pattern at each position of the text. */
const patternCost = (given: string): number =>
  2 + given.length / 50 + 3 * (given.match(/[%*_]/g)?.length ?? 0);

/** Returns the pattern of `like` and `ilike`. Clients may write `*` for `%`, which must be encoded in a URL. */
const likePattern = (value: string): string => value.replaceAll('*', '%');

const pattern = (operator: string, fold: (text: string) => string): Reader =>
  comparison(operator, {
    quantifiable: true,
    cost: patternCost,
    toSql: likePattern,
    holds(value, given) {
      const text = textOf(value);
      return text === null ? null : like(fold(text), fold(likePattern(given)));
    },
  });

/** The official client writes null as the text 'null'. */
function isDistinct(value: unknown, given: string): boolean {
  const isNull = textOf(value) === null;
  return given === 'null' || isNull ? (given === 'null') !== isNull : compare(value, given) !== 0;
}

/**
 * Returns a reader for full-text search. The operator's argument is the search configuration, such as `english`.
 * @param reader the SQL function that parses the value
 */
const search =
  (reader: string): Reader =>
  ({ argument, value }) => {
    const given = value();
    return {
      cost: COSTLY,
      sql(left, parameters, type) {
        const config = argument === null ? '' : `${parameters.add(argument)}::regconfig, `;
        const vector = type === 'tsvector' ? left : `to_tsvector(${config}${left})`;
        return `${vector} @@ ${reader}(${config}${parameters.add(given)})`;
      },
    };
  };

const IS_VALUE = /(?:not_null|null|true|false|unknown)(?=[,)]|$)/iy;

const isValue: Reader = ({ scanner, argument }) => {
  if (argument !== null) return null;
  const found = scanner.match(IS_VALUE);
  if (!found) return scanner.fail('null or trilean value (unknown, true, false)');
  const keyword = found[0].toLowerCase();
  return {
    sql: (left) => `${left} is ${keyword === 'not_null' ? 'not null' : keyword}`,
    holds(value) {
      const text = textOf(value);
      if (keyword === 'null' || keyword === 'unknown') return text === null;
      return keyword === 'not_null' ? text !== null : text === keyword;
    },
    ...((keyword === 'null' || keyword === 'not_null') && { testsNull: keyword }),
  };
};

const isIn: Reader = ({ scanner, argument }) => {
  if (argument !== null) return null;
  const values = scanner.list();
  return {
    cost: 1 + values.length / 100,
    sql: (left, parameters) => `${left} = any(${parameters.addArray(values)})`,
    holds: (value) =>
      textOf(value) === null ? null : values.some((each) => compare(value, each) === 0),
    oneOf: values,
  };
};

export const OPERATORS: Record<string, Reader> = {
  eq: comparison('=', {
    quantifiable: true,
    holds: ordered((difference) => difference === 0),
    isEquality: true,
  }),
  neq: comparison('<>', { holds: ordered((difference) => difference !== 0) }),
  gt: comparison('>', { quantifiable: true, holds: ordered((difference) => difference > 0) }),
  gte: comparison('>=', { quantifiable: true, holds: ordered((difference) => difference >= 0) }),
  lt: comparison('<', { quantifiable: true, holds: ordered((difference) => difference < 0) }),
  lte: comparison('<=', { quantifiable: true, holds: ordered((difference) => difference <= 0) }),
  like: pattern('like', (text) => text),
  ilike: pattern('ilike', (text) => text.toLowerCase()),
  match: comparison('~', { quantifiable: true, cost: () => COSTLY }),
  imatch: comparison('~*', { quantifiable: true, cost: () => COSTLY }),
  cs: comparison('@>'),
  cd: comparison('<@'),
  ov: comparison('&&'),
  sl: comparison('<<'),
  sr: comparison('>>'),
  nxr: comparison('&<'),
  nxl: comparison('&>'),
  adj: comparison('-|-'),
  isdistinct: comparison('is distinct from', { holds: isDistinct }),
  fts: search('to_tsquery'),
  plfts: search('plainto_tsquery'),
  phfts: search('phraseto_tsquery'),
  wfts: search('websearch_to_tsquery'),
  is: isValue,
  in: isIn,
};

/** Returns the reader of an operator's value, or null for an unknown operator. */
export const operatorNamed = (keyword: string): Reader | null =>
  Object.hasOwn(OPERATORS, keyword) ? (OPERATORS[keyword] ?? null) : null;
