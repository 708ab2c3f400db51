// Combines simultaneous requests from different components into batches.

/** Components that scroll into view together make their requests within one frame. */
const TOGETHER_MS = 20;

interface Waiting<Key, Answer> {
  key: Key;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** @param load receives distinct keys, at most `most` of them, and returns the values in the same order */
export function createBatch<Key, Answer>(
  ask: (keys: Key[]) => Promise<Answer[]>,
  most: number,
): (key: Key) => Promise<Answer> {
  let waiting: Waiting<Key, Answer>[] = [];

  async function send(batch: Waiting<Key, Answer>[]): Promise<void> {
    const keys = [...new Set(batch.map(({ key }) => key))];
    try {
      const answers = await ask(keys);
      for (const { key, resolve } of batch) resolve(answers[keys.indexOf(key)] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length === 1)
        setTimeout(() => {
          const all = waiting;
          waiting = [];
          for (let at = 0; at < all.length; at += most) void send(all.slice(at, at + most));
        }, TOGETHER_MS);
    });
}
