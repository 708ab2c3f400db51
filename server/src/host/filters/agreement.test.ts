// Tests that a filter has the same meaning in REST, which compiles it to SQL, and in realtime, which compares it with the record.
// Only realtime accepts lists of conditions.
import { expect, test } from 'vitest';
import { startTestHost } from '../../../../testing/test-host.ts';
import { isMatchable, matches, type Row } from '#/host/filters/match.ts';
import { parseConditions } from '#/host/filters/parse.ts';
import { ParseError } from '#/host/filters/scanner.ts';

const host = await startTestHost();
await host.sql(`
  create table public.samples (
    id bigint primary key, rank numeric, owner uuid, name text, created_at timestamptz, read_at timestamptz, ready boolean);
  grant select on public.samples to anon;
  insert into public.samples values (7, 2.5, '0b8f3a52-93b5-4d53-9d1e-0d35f2a1c0de', 'Rex, the good', '2026-01-02T03:04:05.678Z', null, true)`);
const rows = await host.sql<{ record: Row }>('select to_jsonb(s) as record from public.samples s');
const record = rows[0]?.record ?? {};

test.each([
  ['id', 'eq.7'],
  ['id', 'neq.7'],
  ['id', 'gt.6'],
  ['id', 'gt.10'],
  ['id', 'in.(1,7)'],
  ['id', 'not.in.(1,7)'],
  ['id', 'isdistinct.7'],
  ['rank', 'eq.2.50'],
  ['rank', 'gte.10'],
  ['rank', 'lte.2.5'],
  ['owner', 'eq.0B8F3A52-93B5-4D53-9D1E-0D35F2A1C0DE'],
  ['owner', 'in.("0B8F3A52-93B5-4D53-9D1E-0D35F2A1C0DE")'],
  ['name', 'like.Rex*'],
  ['name', 'like.rex%'],
  ['name', 'ilike.*GOO_'],
  ['name', 'not.like.*x*'],
  ['name', 'in.(a,"Rex, the good")'],
  ['created_at', 'eq.2026-01-02T05:04:05.678+02:00'],
  ['created_at', 'lt.2026-01-02T03:04:06Z'],
  ['created_at', 'lt.2026-01-02'],
  ['created_at', 'gte.2026-01-02T05:04:05+02:00'],
  ['read_at', 'is.null'],
  ['read_at', 'not.is.null'],
  ['read_at', 'eq.2026-01-02T03:04:05Z'],
  ['read_at', 'neq.2026-01-02T03:04:05Z'],
  ['read_at', 'not.eq.2026-01-02T03:04:05Z'],
  ['read_at', 'isdistinct.2026-01-02T03:04:05Z'],
  ['ready', 'is.true'],
  ['ready', 'is.not_null'],
  ['ready', 'not.is.unknown'],
  ['ready', 'eq.true'],
  ['ready', 'eq.false'],
])('%s=%s', async (column, filter) => {
  const response = await fetch(
    `${host.url}/rest/v1/samples?${new URLSearchParams({ [column]: filter })}`,
    { headers: { apikey: host.tokens.anonKey } },
  );
  const rows: unknown = await response.json();
  expect(response.status, JSON.stringify(rows)).toBe(200);
  const filters = parseConditions(`${column}=${filter}`);
  expect(filters.every(isMatchable)).toBe(true);
  expect(matches(filters, record)).toBe((rows as unknown[]).length === 1);
});

test.each([
  ['name=eq."Rex, the good"', true],
  ['id=eq.7,ready=eq.true', true],
  ['id=eq.7,ready=eq.false', false],
  ['missing=neq.1', false],
])('the list %s is %s', (filter, expected) => {
  expect(matches(parseConditions(filter), record)).toBe(expected);
});

test.each(['id', 'id=', 'id=eq', 'id=in.1,2', '=eq.1', "id'=eq.1", 'id=eq.1,', 'id=eq.1,or=(a)'])(
  '%s is a syntax error',
  (filter) => {
    expect(() => parseConditions(filter)).toThrow(ParseError);
  },
);

test.each(['id=match.(a+)+$', 'id=cs.{1}', 'id=fts.a', 'id=eq(any).{1}', 'id->a=eq.1'])(
  '%s can only be evaluated by PostgreSQL',
  (filter) => {
    expect(parseConditions(filter).every(isMatchable)).toBe(false);
  },
);

test('a pattern that would make a regular expression slow is matched quickly', () => {
  const filters = parseConditions(`name=like.${'%a'.repeat(500)}b`);
  expect(matches(filters, { name: 'a'.repeat(2000) })).toBe(false);
});
