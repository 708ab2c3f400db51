// Simultaneous requests are combined into batches.
import { beforeEach, expect, test, vi } from 'vitest';
import { createBatch } from '#/core/batch.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test('simultaneous calls share a batch, later calls start a new one', async () => {
  const load = vi.fn((keys: number[]) => Promise.resolve(keys.map((key) => key * 10)));
  const one = createBatch(load, 3);
  const values = Promise.all([1, 2, 1, 3, 4].map(one));
  await vi.runAllTimersAsync();
  expect(await values).toEqual([10, 20, 10, 30, 40]);
  expect(load.mock.calls).toEqual([[[1, 2]], [[3, 4]]]);
  const later = one(5);
  await vi.runAllTimersAsync();
  expect(await later).toBe(50);
});

test('a failed batch rejects every call in it', async () => {
  const one = createBatch<number, number>(() => Promise.reject(new Error('no')), 10);
  const values = Promise.allSettled([one(1), one(2)]);
  await vi.runAllTimersAsync();
  expect((await values).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
