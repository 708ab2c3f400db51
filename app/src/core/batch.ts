// Combines simultaneous requests from different components into batches.

/** Components that scroll into view together make their requests within one frame. */
const BATCH_MS = 20;

interface Waiting<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** @param load receives distinct keys, at most `most` of them, and returns the values in the same order */
export function createBatch<Key, Value>(
  load: (keys: Key[]) => Promise<Value[]>,
  most: number,
): (key: Key) => Promise<Value> {
  let waiting: Waiting<Key, Value>[] = [];

  async function send(batch: Waiting<Key, Value>[]): Promise<void> {
    const keys = [...new Set(batch.map(({ key }) => key))];
    try {
      const values = await load(keys);
      for (const { key, resolve } of batch) resolve(values[keys.indexOf(key)] as Value);
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
        }, BATCH_MS);
    });
}
