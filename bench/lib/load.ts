// Bounded load on loopback: a fixed number of workers that call one function until a number of calls is done.

/**
 * @param call async (index) => void, one operation; it throws when the operation fails
 * @returns calls per second
 */
export async function throughput(call, { calls, connections }) {
  let next = 0;
  async function worker() {
    while (next < calls) await call(next++);
  }
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  return calls / ((performance.now() - began) / 1000);
}
