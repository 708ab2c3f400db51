// Whose picture is worked on next, and how many may wait.
import { expect, test } from 'vitest';
import { ImageQueue } from '#/host/storage/image-queue.ts';

/** Work that ends when it is told to, and says when it began. */
function piece(name: string, begun: string[] = []) {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  let hasBegun = false;
  return {
    end: () => end(),
    hasBegun: () => hasBegun,
    work: () => {
      hasBegun = true;
      begun.push(name);
      return promise;
    },
  };
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'made',
    (error: unknown) => (error as { status: number }).status,
  );

test('a person with many pictures waits behind one with a single picture', async () => {
  const queue = new ImageQueue({ width: 1, capacity: 10, capacityEach: 10 });
  const begun: string[] = [];
  const pieces = ['a1', 'a2', 'a3', 'b1'].map((name) => piece(name, begun));
  const all = pieces.map(({ work }, index) => queue.run(index < 3 ? 'a' : 'b', work));
  pieces.forEach(({ end }) => end());
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('where there is room for two, they are not two of one person', async () => {
  const queue = new ImageQueue({ width: 2, capacity: 10, capacityEach: 10 });
  const begun: string[] = [];
  const [one, two, other] = [piece('a1', begun), piece('a2', begun), piece('b1', begun)];
  const all = [queue.run('a', one.work), queue.run('a', two.work), queue.run('b', other.work)];
  other.end();
  await all[2];
  expect(begun).toEqual(['a1', 'b1']);
  one.end();
  two.end();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('one person has so many under way, and others still get theirs', async () => {
  const queue = new ImageQueue({ width: 1, capacity: 100, capacityEach: 3 });
  const held = piece('held');
  const asked = Array.from({ length: 4 }, () => outcome(queue.run('a', held.work)));
  const other = outcome(queue.run('b', held.work));
  held.end();
  expect(await Promise.all(asked)).toEqual(['made', 'made', 'made', 429]);
  expect(await other).toBe('made');
  expect(await outcome(queue.run('a', () => Promise.resolve('again')))).toBe('made');
});

test('all together have so many, those who are not known among them', async () => {
  const queue = new ImageQueue({ width: 1, capacity: 5, capacityEach: 3 });
  const held = piece('held');
  const asked = ['a', 'b', null, null, null, null, 'c'].map((who) =>
    outcome(queue.run(who, held.work)),
  );
  held.end();
  expect(await Promise.all(asked)).toEqual(['made', 'made', 'made', 'made', 'made', 429, 429]);
});

test('whoever gives up while waiting counts no more, and that work is never begun', async () => {
  const queue = new ImageQueue({ width: 1, capacity: 4, capacityEach: 3 });
  const begun: string[] = [];
  const [held, next] = [piece('held', begun), piece('next', begun)];
  const first = queue.run('a', held.work);
  await expect.poll(() => held.hasBegun()).toBe(true);
  const gone = new AbortController();
  const given = ['a', 'a', null].map((who) =>
    outcome(queue.run(who, piece('given up', begun).work, gone.signal)),
  );
  expect(await outcome(queue.run('a', next.work))).toBe(429);
  expect(await outcome(queue.run('b', next.work))).toBe(429);
  gone.abort();
  expect(await Promise.all(given)).toEqual([499, 499, 499]);
  const after = ['a', 'b'].map((who) => outcome(queue.run(who, next.work)));
  held.end();
  next.end();
  await first;
  expect(await Promise.all(after)).toEqual(['made', 'made']);
  expect(begun).toEqual(['held', 'next', 'next']);
});

test('work that has begun ends as usual, also when nobody waits for it any more', async () => {
  const queue = new ImageQueue({ width: 1, capacity: 1, capacityEach: 1 });
  const held = piece('held');
  const gone = new AbortController();
  const made = outcome(queue.run('a', held.work, gone.signal));
  await expect.poll(() => held.hasBegun()).toBe(true);
  gone.abort();
  expect(await outcome(queue.run('b', held.work))).toBe(429);
  held.end();
  expect(await made).toBe('made');
});
