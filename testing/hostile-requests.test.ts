// The fuzz asks for what is there: for every table, call and function of the schema, and otherwise only for names that are wrong on purpose.
import { expect, test } from 'vitest';
import { hostileRequest, WRONG_NAMES } from './hostile-requests.ts';
import { schemaNames } from './schema-names.ts';

const names = schemaNames();
const targets = Array.from(
  { length: 20_000 },
  (_, index) => hostileRequest(1, index, ['key']).label.split(' ')[1] ?? '',
);

/** What the requests ask for right below a prefix. */
const asked = (prefix: string) =>
  new Set(
    targets
      .filter((target) => target.startsWith(prefix))
      .map((target) => target.slice(prefix.length).replace(/\?.*/s, ''))
      .filter((name) => /^[a-z_-]{1,60}$/.test(name)),
  );

test.each([
  ['/rest/v1/', names.tables],
  ['/rest/v1/rpc/', names.calls],
  ['/functions/v1/', names.functions],
])('%s', (prefix, known) => {
  expect(known.length).toBeGreaterThan(5);
  const found = asked(prefix);
  const meant = [...found].filter((name) => !WRONG_NAMES.includes(name)).sort();
  expect(meant).toEqual(known);
});

test('columns and parameters are among the words', () => {
  expect(names.columns).toContain('park_id');
  expect(names.parameters).toContain('p_park_id');
});
