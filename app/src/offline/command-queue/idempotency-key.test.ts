// A repeat is the same command; other values, or the next time, are another.
import { expect, test } from 'vitest';
import { makeIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';

test('a second try of the same values is the same command, until they change or are done', () => {
  const key = makeIdempotencyKey();
  const first = key.of({ name: 'Rex' });
  expect(key.of({ name: 'Rex' })).toBe(first);
  const second = key.of({ name: 'Rexi' });
  expect(second).not.toBe(first);
  key.done();
  expect(key.of({ name: 'Rexi' })).not.toBe(second);
});
