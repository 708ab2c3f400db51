// A retry uses the same idempotency key. Other values, or the same action later, use a new key.
import { expect, test } from 'vitest';
import { makeIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';

test('a retry with the same values has the same key, until the values change or the action is done', () => {
  const key = makeIdempotencyKey();
  const first = key.of({ name: 'Rex' });
  expect(key.of({ name: 'Rex' })).toBe(first);
  const second = key.of({ name: 'Rexi' });
  expect(second).not.toBe(first);
  key.done();
  expect(key.of({ name: 'Rexi' })).not.toBe(second);
});
