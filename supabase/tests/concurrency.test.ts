// Tests the limit of concurrent exports in one process.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createConcurrencyLimit } from '../functions/_shared/concurrency.ts';

test('a user has one export at a time and all users together twenty; an export of ten minutes ends if another one waits', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const exports = createConcurrencyLimit(20);
  const ends = Array.from({ length: 20 }, () => vi.fn());
  const ask = (n: number) => exports.tryAcquire(`user ${n}`, ends[n] ?? vi.fn());
  for (let n = 0; n < 20; n += 1) expect(ask(n)).toBeNull();
  expect([ask(20), ask(7)]).toEqual([503, 429]);
  exports.release(ends[7] as () => void);
  expect([ask(20), ask(7)]).toEqual([null, 503]);
  vi.setSystemTime(Date.now() + 600_000);
  expect(ask(7)).toBeNull();
  expect(ends.map((end) => end.mock.calls.length)).toEqual([1, ...Array<number>(19).fill(0)]);
});
