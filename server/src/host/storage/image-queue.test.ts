// Whose picture is worked on next, and how many may wait.
import { expect, test } from 'vitest';
import { createImageQueue } from '#/host/storage/image-queue.ts';

/** Work that ends when it is told to, and says when it began. */
function piece(name: string, begun: string[]) {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  return {
    end: () => end(),
    work: () => {
      begun.push(name);
      return promise;
    },
  };
}

test('an upload waits for no copy that waits itself', async () => {
  const queue = createImageQueue(1);
  const begun: string[] = [];
  const [one, two, three] = [
    piece('copy 1', begun),
    piece('copy 2', begun),
    piece('upload', begun),
  ];
  const all = [queue.copy('a', one.work), queue.copy('a', two.work), queue.upload(three.work)];
  [one, two, three].forEach(({ end }) => end());
  await Promise.all(all);
  expect(begun).toEqual(['copy 1', 'upload', 'copy 2']);
});

test('one address has so many copies under way, and others still get theirs', async () => {
  const queue = createImageQueue(1);
  const held = piece('held', []);
  const asked = Array.from({ length: 51 }, () =>
    queue.copy('a', held.work).then(
      () => 'made',
      (error: unknown) => (error as { status: number }).status,
    ),
  );
  const other = queue.copy('b', held.work).then(() => 'made');
  held.end();
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => answer === 'made')).toHaveLength(50);
  expect(answers[50]).toBe(429);
  expect(await other).toBe('made');
  // What is done gives its place back.
  expect(await queue.copy('a', () => Promise.resolve('again'))).toBe('again');
});

test('all addresses together have so many, and uploads have places of their own', async () => {
  const queue = createImageQueue(1);
  const held = piece('held', []);
  const asked = Array.from({ length: 250 }, (_, index) =>
    queue.copy(String(index), held.work).then(
      () => 'made',
      () => 'refused',
    ),
  );
  const upload = queue.upload(held.work).then(() => 'made');
  held.end();
  expect((await Promise.all(asked)).filter((answer) => answer === 'made')).toHaveLength(201);
  expect(await upload).toBe('made');
});
