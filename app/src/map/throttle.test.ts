// Throttling: the first call is immediate, later ones are delayed, and the latest wins.
import { expect, it, vi } from 'vitest';
import { throttle } from '#/map/throttle.ts';

it('calls once immediately, then the latest of each 300 ms, and immediately again after a pause', () => {
  vi.useFakeTimers();
  const sent: number[] = [];
  const request = throttle((value: number) => sent.push(value));
  request(1);
  request(2);
  vi.advanceTimersByTime(100);
  request(3);
  vi.advanceTimersByTime(199);
  expect(sent).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([1, 3]);
  vi.advanceTimersByTime(300);
  request(4);
  expect(sent).toEqual([1, 3, 4]);
  vi.useRealTimers();
});
