// The clustering queue: at once, then spaced by the delay, newest wins.
import { expect, it } from 'vitest';
import { createRequestQueue, type Clock } from '#/map/request-queue.ts';

function testClock() {
  let time = 0;
  let next = 1;
  const timers = new Map<number, { at: number; run: () => void }>();
  const clock: Clock = {
    now: () => time,
    setTimeout(run, delay) {
      timers.set(next, { at: time + delay, run });
      return next++;
    },
    clearTimeout: (timer) => void timers.delete(timer),
  };
  function advance(by: number): void {
    time += by;
    for (const [timer, { at, run }] of timers) {
      if (at > time) continue;
      timers.delete(timer);
      run();
    }
  }
  return { clock, advance };
}

it('createRequestQueue: sends the first request at once', () => {
  const sent: number[] = [];
  const queue = createRequestQueue((value: number) => sent.push(value), testClock());
  queue.request(1);
  expect(sent).toEqual([1]);
});

it('createRequestQueue: keeps only the newest of what comes within 300 ms', () => {
  const { clock, advance } = testClock();
  const sent: number[] = [];
  const queue = createRequestQueue((value: number) => sent.push(value), { clock });
  queue.request(1);
  queue.request(2);
  advance(100);
  queue.request(3);
  expect(sent).toEqual([1]);
  advance(199);
  expect(sent).toEqual([1]);
  advance(1);
  expect(sent).toEqual([1, 3]);
});

it('createRequestQueue: goes at once again after 300 quiet ms', () => {
  const { clock, advance } = testClock();
  const sent: number[] = [];
  const queue = createRequestQueue((value: number) => sent.push(value), { clock });
  queue.request(1);
  advance(300);
  queue.request(2);
  expect(sent).toEqual([1, 2]);
});

it('createRequestQueue: forgets what waits when cleared', () => {
  const { clock, advance } = testClock();
  const sent: number[] = [];
  const queue = createRequestQueue((value: number) => sent.push(value), { clock });
  queue.request(1);
  queue.request(2);
  queue.clear();
  advance(300);
  expect(sent).toEqual([1]);
});
