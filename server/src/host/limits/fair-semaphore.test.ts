// The key with the fewest running tasks comes next, nobody has more than their part, and a permit comes back however a task ends.
import { expect, test } from 'vitest';
import {
  AcquireTimeoutError,
  FairSemaphore,
  FullError,
  AbortedError,
} from '#/host/limits/fair-semaphore.ts';

/** Tasks that end when they are told to, and the order in which they began. */
function createTasks(semaphore: FairSemaphore) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    start: (key: string, name: string, signal?: AbortSignal) =>
      semaphore.run(
        key,
        () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        },
        signal,
      ),
    async end(name: string) {
      ends.get(name)?.();
      // What follows begins in the jobs of this one promise.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('who has none running comes before all that others wait for, and nobody has more than their part', async () => {
  const { begun, start, end } = createTasks(
    new FairSemaphore({ permits: 4, each: 3, timeout: 60_000 }),
  );
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'c1', 'd1'].map((name) =>
    start(name.charAt(0), name),
  );
  // Three of a, although a fourth permit was free until b came.
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await end('a1');
  expect(begun.slice(4)).toEqual(['c1']);
  await end('b1');
  // Then d, before b, which came earlier but was served before.
  expect(begun.slice(5)).toEqual(['d1']);
  await end('c1');
  expect(begun.slice(6)).toEqual(['b2']);
  await end('d1');
  // b has one running, a two.
  expect(begun.slice(7)).toEqual(['b3']);
  await end('b2');
  // One of b and two of a are left: of those who wait there is a only.
  expect(begun.slice(8)).toEqual(['a4']);
  for (const name of ['a2', 'a3', 'b3', 'a4', 'a5']) await end(name);
  await Promise.all(all);
  expect(begun).toHaveLength(10);
});

test('a permit comes back when a task fails; who waits too long is refused and takes none', async () => {
  const semaphore = new FairSemaphore({ permits: 1, each: 1, timeout: 0 });
  const { start, end, begun } = createTasks(semaphore);
  const first = start('a', 'a1');
  await expect(start('a', 'a2')).rejects.toThrow(AcquireTimeoutError);
  await expect(start('b', 'b1')).rejects.toThrow(AcquireTimeoutError);
  await end('a1');
  await first;
  await expect(semaphore.run('b', () => Promise.reject(new Error('as it may')))).rejects.toThrow(
    'as it may',
  );
  await expect(semaphore.run('b', () => Promise.resolve('next'))).resolves.toBe('next');
  expect(begun).toEqual(['a1']);
});

test('of one key, as many as there are permits run at once, in their order, without those who gave up', async () => {
  const { begun, start, end } = createTasks(new FairSemaphore({ permits: 2, each: 2 }));
  const controller = new AbortController();
  const names = Array.from({ length: 10 }, (_, index) => `a${index}`);
  const all = names.map((name) => start('a', name, name === 'a4' ? controller.signal : undefined));
  controller.abort();
  await expect(all[4]).rejects.toThrow(AbortedError);
  const left = names.filter((name) => name !== 'a4');
  for (const [index, name] of left.entries()) {
    expect(begun).toEqual(left.slice(0, index + 2));
    await end(name);
  }
  await Promise.all(all.toSpliced(4, 1));
});

test('so many run or wait, altogether and of one key; who gave up while waiting counts no more, and what has begun ends as usual', async () => {
  const { begun, start, end } = createTasks(
    new FairSemaphore({ permits: 1, each: 1, capacity: 4, capacityEach: 3 }),
  );
  const controller = new AbortController();
  const running = start('a', 'a1', controller.signal);
  const given = ['a2', 'a3', 'c1'].map((name) => start(name.charAt(0), name, controller.signal));
  await expect(start('b', 'b1')).rejects.toThrow(FullError);
  controller.abort();
  for (const each of given) await expect(each).rejects.toThrow(AbortedError);
  const after = ['a4', 'a5'].map((name) => start('a', name));
  await expect(start('a', 'a6')).rejects.toThrow(FullError);
  after.push(start('b', 'b2'));
  for (const name of ['a1', 'b2', 'a4', 'a5']) await end(name);
  await Promise.all([running, ...after]);
  expect(begun).toEqual(['a1', 'b2', 'a4', 'a5']);
});
