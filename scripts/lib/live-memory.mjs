// What a Node process keeps alive, asked through its inspector after a full collection: grows only where something leaks.
import WebSocket from 'ws';

const MEMORY = `JSON.stringify(process.memoryUsage())`;

/**
 * Connects to the inspector of a process that runs with --inspect.
 * @param address ws://…
 * @returns {read(): Promise<{live: MB, resident: MB}>, close()}
 */
export async function watchMemory(address) {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const waiting = new Map();
  let last = 0;
  await new Promise((resolve, reject) => {
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
  const call = (method, params = {}) =>
    new Promise((resolve, reject) => {
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
