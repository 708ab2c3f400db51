// Tests the estimated cost of each operator and each part of a query, without a database.
import { expect, test } from 'vitest';
import { OPERATORS } from '#/host/filters/operators.ts';
import { parseQuery } from '#/host/rest/parse-query.ts';
import { isSlowQuery } from '#/host/rest/query-cost.ts';
import type { RequestOptions } from '#/host/rest/statement.ts';
import type { Relation, Schema } from '#/host/rest/schema-cache.ts';

const books = { primaryKey: ['id'], computed: new Set(['similar']) } as unknown as Relation;
const schema = { relations: new Map([['books', books]]) } as Schema;

/** Returns how a query is treated: with the usual connections, with those of slow requests, or rejected. */
function laneOf(search: string, anonymous: boolean): 'usual' | 'slow' | 'rejected' {
  const query = parseQuery(new URLSearchParams(search), null);
  try {
    return isSlowQuery(schema, books, { query, anonymous } as RequestOptions) ? 'slow' : 'usual';
  } catch (error) {
    expect(error).toMatchObject({ status: 400, code: 'PGRST100' });
    return 'rejected';
  }
}
const lanes = (search: string) => [laneOf(search, true), laneOf(search, false)];
const repeat = (count: number, part: string) => Array.from({ length: count }, () => part).join();

const valueOf = (operator: string) =>
  ({ in: '(a,b)', is: 'null', like: '*a*', ilike: '*a*', cs: '{}', cd: '{}', ov: '{}' })[
    operator
  ] ?? 'a';

test.each(Object.keys(OPERATORS))('%s is not free, alone and in a logic tree', (operator) => {
  const one = `title.${operator}.${valueOf(operator)}`;
  expect(lanes(`or=(${repeat(2400, one)})`)).toEqual(['rejected', 'rejected']);
  expect(lanes(`not.and=(${repeat(2400, one)})`)).toEqual(['rejected', 'rejected']);
  expect(laneOf(`select=x:books(id)&x.or=(${repeat(2400, one)})`, false)).not.toBe('usual');
});

test.each(['title->a', 'title::text', 'similar', 'books(similar)', 'other_key(similar)'])(
  'selecting %s is not free',
  (part) => {
    const search = `select=${Array.from({ length: 25 }, (_, index) => `c${index}:${part}`).join()}`;
    const many = part.includes('(') ? search : search.replace('=', `=${repeat(2500, part)},`);
    expect(laneOf(many, true)).toBe('rejected');
    expect(laneOf(many, false)).not.toBe('usual');
  },
);

test.each([
  ['select=*,books(*)&order=id&limit=50', ['usual', 'usual']],
  ['select=id,title&title=ilike.*sea*', ['usual', 'usual']],
  [`id=in.(${repeat(900, '1')})`, ['usual', 'usual']],
  ['title=match.^a', ['rejected', 'slow']],
  ['id=eq.1&title=match.(a+)+$', ['rejected', 'slow']],
  ['search=plfts.quiet', ['rejected', 'slow']],
  [`or=(${repeat(40, 'title.ilike.*a*')})`, ['rejected', 'slow']],
  [`title=ilike.${'*a'.repeat(60)}`, ['rejected', 'slow']],
  [`order=${repeat(10, 'similar')}`, ['rejected', 'slow']],
  // The primary key finds one row, so the other conditions are evaluated for that row only.
  [`id=eq.1&or=(${repeat(40, 'title.ilike.*a*')})`, ['usual', 'usual']],
])('of anonymous and logged-in callers, %s is %s', (search, expected) => {
  expect(lanes(search)).toEqual(expected);
});
