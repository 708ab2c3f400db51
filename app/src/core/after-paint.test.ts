import { beforeEach, expect, test, vi } from 'vitest';
import { afterPaint } from '#/core/after-paint.ts';

let frame: (() => void) | null;

beforeEach(() => {
  vi.useFakeTimers();
  frame = null;
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => (frame = draw));
  return () => vi.useRealTimers();
});

test('waits until a frame has been rendered and painted', async () => {
  const done = vi.fn();
  void afterPaint().then(done);
  await vi.advanceTimersByTimeAsync(10);
  expect(done).not.toHaveBeenCalled();
  frame?.();
  await Promise.resolve();
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalledOnce();
});

test('times out in a hidden page', async () => {
  const done = vi.fn();
  void afterPaint().then(done);
  await vi.advanceTimersByTimeAsync(1000);
  expect(done).toHaveBeenCalledOnce();
});
