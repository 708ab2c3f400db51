// The few statistics that the benchmarks share; all take an array of numbers.

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** What each of so many runs gives, one after the other. */
export async function repeat<T>(times: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let index = 0; index < times; index += 1) all.push(await run(index));
  return all;
}

/** By its name, the median of a figure of several runs. */
export const mediansOf =
  <Name extends string>(runs: Record<Name, number>[]) =>
  (name: Name) =>
    median(runs.map((run) => run[name]));

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The medians of what each of two measures, by turns: a change in the load of the machine affects both alike. */
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
