// Turns are given in order, never more at once than there are, and a place comes back whatever becomes of the work.
import { expect, test } from 'vitest';
import { createTurns, NoTurnError } from '#/host/lib/turns.ts';

test('no more than so many run at once, the others after them and in order', async () => {
  const through = createTurns(2, 60_000);
  const done: number[] = [];
  let running = 0;
  let most = 0;
  const all = Array.from({ length: 10 }, (_, index) =>
    through(async () => {
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
  await expect(through(() => Promise.resolve('still works'))).resolves.toBe('still works');
});

test('who waits too long is told so, and takes no place', async () => {
  const through = createTurns(1, 0);
  let resolve: (text: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  const first = through(() => promise);
  await expect(through(() => Promise.resolve('never'))).rejects.toThrow(NoTurnError);
  resolve('first');
  await expect(first).resolves.toBe('first');
  await expect(through(() => Promise.resolve('next'))).resolves.toBe('next');
});
