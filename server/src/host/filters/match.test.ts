// Filters, as the client's builder writes them, against records as PostgreSQL writes them in JSON.
import { expect, test } from 'vitest';
import { isMatchable, matches } from '#/host/filters/match.ts';
import { parseConditions } from '#/host/filters/parse.ts';
import { ParseError } from '#/host/filters/scanner.ts';

const record = {
  id: 7,
  rank: 2.5,
  owner: '0b8f3a52-93b5-4d53-9d1e-0d35f2a1c0de',
  name: 'Rex, the "good"',
  made_at: '2026-01-02T03:04:05.678901+00:00',
  read_at: null,
  ready: true,
};

test.each([
  ['id=eq.7', true],
  ['id=eq.7.0', true],
  ['id=neq.7', false],
  ['id=gt.6', true],
  ['id=lt.10', true],
  ['rank=lte.2.5', true],
  ['owner=eq.0B8F3A52-93B5-4D53-9D1E-0D35F2A1C0DE', true],
  ['made_at=gte.2026-01-02T05:04:05+02:00', true],
  ['made_at=lt.2026-01-02', false],
  ['name=eq."Rex, the \\"good\\""', true],
  ['name=in.(a,"Rex, the \\"good\\"")', true],
  ['name=not.in.(a,b)', true],
  ['name=like.Rex%', true],
  ['name=like.rex%', false],
  ['name=ilike.%GOOD_', true],
  ['read_at=is.null', true],
  ['read_at=not.is.null', false],
  ['read_at=eq.x', false],
  ['read_at=neq.x', false],
  ['read_at=isdistinct.x', true],
  ['ready=is.true', true],
  ['ready=eq.true', true],
  ['id=eq.7,ready=eq.true', true],
  ['id=eq.7,ready=eq.false', false],
  ['missing=neq.1', false],
])('%s is %s', (filter, expected) => {
  const filters = parseConditions(filter);
  expect(filters.every(isMatchable)).toBe(true);
  expect(matches(filters, record)).toBe(expected);
});

test.each(['id', 'id=', 'id=eq', 'id=in.1,2', '=eq.1', "id'=eq.1", 'id=eq.1,', 'id=eq.1,or=(a)'])(
  '%s is not understood',
  (filter) => {
    expect(() => parseConditions(filter)).toThrow(ParseError);
  },
);

test.each(['id=match.(a+)+$', 'id=cs.{1}', 'id=fts.a', 'id=eq(any).{1}', 'id->a=eq.1'])(
  '%s needs PostgreSQL',
  (filter) => {
    expect(parseConditions(filter).every(isMatchable)).toBe(false);
  },
);

test('a pattern made to be slow is not', () => {
  const text = 'a'.repeat(2000);
  const filters = parseConditions(`name=like.${'%a'.repeat(500)}b`);
  expect(matches(filters, { name: text })).toBe(false);
});
