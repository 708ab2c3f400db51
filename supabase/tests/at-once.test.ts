// How many exports one process makes at a time.
import { expect, test } from 'vitest';
import { createAtOnce } from '../functions/_shared/at-once.ts';

test('one for each person, twenty in all, and what has ended gives its place back', () => {
  const exports = createAtOnce(20);
  for (let n = 1; n <= 20; n += 1) expect(exports.begin(`person ${n}`)).toBeNull();
  expect(exports.begin('person 21')).toBe(503);
  expect(exports.begin('person 7')).toBe(429);
  exports.end('person 7');
  expect(exports.begin('person 21')).toBeNull();
  expect(exports.begin('person 7')).toBe(503);
});
