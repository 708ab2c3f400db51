// A repeat is the same command; other values, or the next time, are another.
import { expect, test } from 'vitest';
import { makeIdempotencyKey } from '#/offline/command-queue/idempotency-key.ts';

test('a second try of the same values is the same command', () => {
  const key = makeIdempotencyKey();
  expect(key.of({ minutes: 30 })).toBe(key.of({ minutes: 30 }));
});

test('changed values are another command', () => {
  const key = makeIdempotencyKey();
  const first = key.of({ name: 'Rex' });
  expect(key.of({ name: 'Rexi' })).not.toBe(first);
});

test('the same values again, after they were done, are another command', () => {
  const key = makeIdempotencyKey();
  const first = key.of({ minutes: 30 });
  key.done();
  expect(key.of({ minutes: 30 })).not.toBe(first);
});
