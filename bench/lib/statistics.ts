// Statistics that the benchmarks share. All take an array of numbers.

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));

export async function repeat<T>(times: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let index = 0; index < times; index += 1) all.push(await run(index));
  return all;
}

/** Returns a function that computes the median of a named figure over several runs. */
export const mediansOf =
  <Name extends string>(runs: Record<Name, number>[]) =>
  (name: Name) =>
    median(runs.map((run) => run[name]));

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Returns the medians of two measurements. They are interleaved, so that a change of the machine's load affects both. */
export async function interleaved(
  rounds: number,
  measure: () => Promise<number>,
  measureControl: () => Promise<number>,
) {
  const pairs = await repeat(rounds, async () => ({
    figure: await measure(),
    control: await measureControl(),
  }));
  const medians = mediansOf(pairs);
  return { figure: medians('figure'), control: medians('control') };
}
