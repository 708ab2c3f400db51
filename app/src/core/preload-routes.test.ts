// Timing of route preloading.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenIdle } from '#/core/preload-routes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('waits for the browser to be idle, but at most two seconds', () => {
  const requestIdleCallback = vi.fn();
  vi.stubGlobal('requestIdleCallback', requestIdleCallback);
  const task = vi.fn();
  whenIdle(task);
  expect(requestIdleCallback.mock.calls).toEqual([[task, { timeout: 2000 }]]);
});

test('waits two seconds without requestIdleCallback', () => {
  const task = vi.fn();
  whenIdle(task);
  vi.advanceTimersByTime(1999);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(task).toHaveBeenCalledOnce();
});
