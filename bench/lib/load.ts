// Bounded load on loopback: a fixed number of workers that call one function until a number of calls is done.

/**
 * @param call one operation; it throws when the operation fails
 * @returns calls per second
 */
export async function throughput(
  call: (index: number) => Promise<unknown>,
  { calls, connections }: { calls: number; connections: number },
): Promise<number> {
  let next = 0;
  async function worker() {
    while (next < calls) await call(next++);
  }
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  return calls / ((performance.now() - began) / 1000);
}
