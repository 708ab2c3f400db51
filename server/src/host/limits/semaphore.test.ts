// Tasks get their permits in order, never more at once than there are, and a permit comes back however a task ends.
import { expect, test } from 'vitest';
import { KeyedSemaphore } from '#/host/limits/keyed-semaphore.ts';
import { GaveUpError, Semaphore } from '#/host/limits/semaphore.ts';

test('no more than so many run at once, the others after them and in order', async () => {
  const semaphore = new Semaphore(2);
  const done: number[] = [];
  let running = 0;
  let most = 0;
  const all = Array.from({ length: 10 }, (_, index) =>
    semaphore.run(async () => {
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
      done.push(index);
      if (index % 3 === 0) throw new Error('as work may end');
    }),
  );
  await Promise.allSettled(all);
  expect(most).toBe(2);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await expect(semaphore.run(() => Promise.resolve('still works'))).resolves.toBe('still works');
});

test('a task whose asker gives up while it waits is never started, and the next comes in its place', async () => {
  const semaphore = new Semaphore(1);
  let resolve: (text: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  const first = semaphore.run(() => promise);
  const gone = new AbortController();
  const never = () => Promise.reject(new Error('it was started'));
  const given = [semaphore.run(never, gone.signal), semaphore.run(never, gone.signal)];
  const next = semaphore.run(() => Promise.resolve('next'));
  gone.abort();
  for (const each of [...given, semaphore.run(never, gone.signal)])
    await expect(each).rejects.toThrow(GaveUpError);
  expect(semaphore.waiting).toBe(1);
  resolve('first');
  expect(await Promise.all([first, next])).toEqual(['first', 'next']);
});

test('each key has permits of its own', async () => {
  const semaphore = new KeyedSemaphore(1);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const start = (key: string, name: string) =>
    semaphore.run(key, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [start('a', 'a1'), start('a', 'a2'), start('b', 'b1')];
  await expect.poll(() => begun).toEqual(['a1', 'b1']);
  ends.forEach((end) => end());
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
  ends.forEach((end) => end());
  await Promise.all(all);
});
