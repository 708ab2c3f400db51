// Tasks get their permits in order, never more at once than there are, and a permit comes back however a task ends.
import { expect, test } from 'vitest';
import { AcquireTimeoutError, Semaphore } from '#/host/limits/semaphore.ts';

test('no more than so many run at once, the others after them and in order', async () => {
  const semaphore = new Semaphore(2, 60_000);
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

test('a task that waits too long is refused, and takes no permit', async () => {
  const semaphore = new Semaphore(1, 0);
  let resolve: (text: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  const first = semaphore.run(() => promise);
  await expect(semaphore.run(() => Promise.resolve('never'))).rejects.toThrow(AcquireTimeoutError);
  resolve('first');
  await expect(first).resolves.toBe('first');
  await expect(semaphore.run(() => Promise.resolve('next'))).resolves.toBe('next');
});
