// How many exports one process runs at a time.
import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '../functions/_shared/concurrency.ts';

test('one export for each user, twenty in all, and a finished one makes room', () => {
  const exports = createConcurrencyLimit(20);
  for (let n = 1; n <= 20; n += 1) expect(exports.tryAcquire(`user ${n}`)).toBeNull();
  expect(exports.tryAcquire('user 21')).toBe(503);
  expect(exports.tryAcquire('user 7')).toBe(429);
  exports.release('user 7');
  expect(exports.tryAcquire('user 21')).toBeNull();
  expect(exports.tryAcquire('user 7')).toBe(503);
});
