// When the modules of the routes are fetched.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenIdle } from '#/core/preload-routes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a browser that knows when it is idle is given two seconds at most', () => {
  const requestIdleCallback = vi.fn();
  vi.stubGlobal('requestIdleCallback', requestIdleCallback);
  const task = vi.fn();
  whenIdle(task);
  expect(requestIdleCallback.mock.calls).toEqual([[task, { timeout: 2000 }]]);
});

test('another one begins after two seconds', () => {
  const task = vi.fn();
  whenIdle(task);
  vi.advanceTimersByTime(1999);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(task).toHaveBeenCalledOnce();
});
