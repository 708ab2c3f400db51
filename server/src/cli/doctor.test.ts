// What the doctor says of a Node and a PostgreSQL that get no fixes any more.
import { expect, test } from 'vitest';
import { findNode, findOldPostgres } from '#/cli/doctor.ts';

test.each([
  ['20.19.2', '2026-04-30', 'ok'],
  ['20.19.2', '2026-05-01', 'note'],
  ['26.1.0', '2026-11-24', 'ok'],
  ['99.0.0', '2026-11-24', 'ok'],
])('Node %s on %s: %s', (version, day, kind) => {
  expect(findNode(version, new Date(day))[0]).toBe(kind);
});

test('a PostgreSQL that lacks fixes is named, with what to do', () => {
  expect(findOldPostgres('18.4')).toEqual([
    ['note', expect.stringMatching(/^PostgreSQL 18\.4 is older than 18\.6.*POSTGRES_BIN/)],
  ]);
  expect(findOldPostgres('15.18 (Debian 15.18-0+deb12u1)')).toHaveLength(1);
  for (const version of ['18.6', '17.12', '19.0']) expect(findOldPostgres(version)).toEqual([]);
});
