// Tests a limit of ten messages a second, with fake timers.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RateLimitedQueue } from '#/host/limits/rate-limited-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const createQueue = (send: (item: number) => void, onOverflow: () => void) =>
  new RateLimitedQueue<number>({ perSecond: 10, capacity: 200, send, onOverflow });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('ten messages are sent immediately, then ten each second, in order', () => {
  const sent: number[] = [];
  const queue = createQueue((item) => sent.push(item), vi.fn());
  numbers(25).forEach((item) => queue.push(item));
  expect(sent).toEqual(numbers(10));
  vi.advanceTimersByTime(500);
  expect(sent.length).toBe(15);
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual(numbers(25));
});

test('the messages of a quiet client are never delayed', () => {
  const sent: number[] = [];
  const queue = createQueue((item) => sent.push(item), vi.fn());
  for (const item of numbers(30)) {
    queue.push(item);
    expect(sent.at(-1)).toBe(item);
    vi.advanceTimersByTime(101);
  }
});

test('an overflow drops the queued messages and calls onOverflow', () => {
  const overflow = vi.fn();
  const queue = createQueue(() => undefined, overflow);
  numbers(10 + 200).forEach((item) => queue.push(item));
  expect(overflow).not.toHaveBeenCalled();
  queue.push(0);
  expect(overflow).toHaveBeenCalledOnce();
});
