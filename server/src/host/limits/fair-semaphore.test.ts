// Tests that the key with the fewest running tasks is next, that no key exceeds its maximum, and that a permit is released however
// a task ends.
import { expect, test } from 'vitest';
import {
  AcquireTimeoutError,
  FairSemaphore,
  FullError,
  AbortedError,
} from '#/host/limits/fair-semaphore.ts';

/** Creates tasks that the test ends explicitly, and records the order in which they started. */
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
      // Lets the microtasks run that start the next tasks.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('a key without running tasks is served before all waiting tasks of others, and no key exceeds its maximum', async () => {
  const { begun, start, end } = createTasks(
    new FairSemaphore({ permits: 4, each: 3, timeout: 60_000 }),
  );
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3', 'c1', 'd1'].map((name) =>
    start(name.charAt(0), name),
  );
  // Only three tasks of key a have started, although a fourth permit was free until key b arrived.
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1']);
  await end('a1');
  expect(begun.slice(4)).toEqual(['c1']);
  await end('b1');
  // Key d is next. Key b arrived earlier but already has a running task.
  expect(begun.slice(5)).toEqual(['d1']);
  await end('c1');
  expect(begun.slice(6)).toEqual(['b2']);
  await end('d1');
  // Key b is next, because it has one running task and key a has two.
  expect(begun.slice(7)).toEqual(['b3']);
  await end('b2');
  // Key a is next, because it is the only key with waiting tasks.
  expect(begun.slice(8)).toEqual(['a4']);
  for (const name of ['a2', 'a3', 'b3', 'a4', 'a5']) await end(name);
  await Promise.all(all);
  expect(begun).toHaveLength(10);
});

test('heavy keys wait until no other key waits, and leave the reserved permits free', async () => {
  const { begun, start, end } = createTasks(
    new FairSemaphore({ permits: 2, each: 2, reserved: 1, isHeavy: (name) => name === 'h' }),
  );
  const all = ['a1', 'a2', 'h1', 'b1'].map((name) => start(name.charAt(0), name));
  expect(begun).toEqual(['a1', 'a2']);
  await end('a1');
  expect(begun.slice(2)).toEqual(['b1']);
  await end('a2');
  expect(begun.slice(3)).toEqual([]);
  await end('b1');
  expect(begun.slice(3)).toEqual(['h1']);
  await end('h1');
  await Promise.all(all);
});

test('a permit is released when a task fails, and a task that waits too long is rejected without a permit', async () => {
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

test('tasks of one key run up to the limit and in order, without aborted ones', async () => {
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

test('the capacities limit running and waiting tasks, in total and per key; an aborted waiting task stops counting, and a started one continues', async () => {
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
