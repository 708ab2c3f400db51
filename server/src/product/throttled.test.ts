// Tests the throttling of work that many changes request.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttled } from '#/product/throttled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('successive changes cause one run, and long work is followed by a pause of nine times its duration', async () => {
  let requests = 0;
  const pace = throttled({ delayMs: 500, share: 0.1 }, () => (requests += 1));
  pace.changed();
  pace.changed();
  await pass(499);
  expect(requests).toBe(0);
  await pass(1);
  expect(requests).toBe(1);

  await pace.measured(() => pass(2000));
  // A run that did nothing does not shorten the pause.
  await pace.measured(() => Promise.resolve());
  pace.changed();
  await pass(10_000);
  pace.changed();
  await pass(7999);
  expect(requests).toBe(1);
  await pass(1);
  expect(requests).toBe(2);

  await pass(60_000);
  pace.changed();
  await pass(500);
  expect(requests).toBe(3);
});

test('a failed run is followed by a pause too, and nothing is requested after stopping', async () => {
  let requests = 0;
  const pace = throttled({ delayMs: 500, share: 0.1 }, () => (requests += 1));
  const failing = pace.measured(async () => {
    await pass(1000);
    throw new Error('no database');
  });
  await expect(failing).rejects.toThrow('no database');
  pace.changed();
  await pass(8999);
  expect(requests).toBe(0);
  await pass(1);
  expect(requests).toBe(1);
  pace.changed();
  pace.stop();
  await pass(60_000);
  expect(requests).toBe(1);
});
