// What a Node process keeps alive, asked through its inspector after a full collection: grows only where something leaks.
import WebSocket from 'ws';

const MEMORY = `JSON.stringify(process.memoryUsage())`;

export interface MemoryReading {
  live: number;
  resident: number;
}

interface Call {
  resolve(result: { result: { value: string } }): void;
  reject(error: Error): void;
}

/**
 * Connects to the inspector of a process that runs with --inspect.
 * @param address ws://…
 * @returns `read()` resolves with megabytes: what is alive after a collection, and what the process holds then
 */
export async function watchMemory(
  address: string,
): Promise<{ read(): Promise<MemoryReading>; close(): void }> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const waiting = new Map<number, Call>();
  let last = 0;
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('message', (text) => {
    const { id, result } = JSON.parse(String(text));
    waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The host has ended.'));
  });
  const call = (method: string, params = {}) =>
    new Promise<{ result: { value: string } }>((resolve, reject) => {
      const id = (last += 1);
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    async read() {
      await call('HeapProfiler.collectGarbage');
      const { result } = await call('Runtime.evaluate', { expression: MEMORY });
      const { heapUsed, external, rss } = JSON.parse(result.value);
      return { live: (heapUsed + external) / 1e6, resident: rss / 1e6 };
    },
    close: () => socket.terminate(),
  };
}
