// The few statistics that the benchmarks share; all take an array of numbers.

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** The medians of what each of two measures, by turns: a change in the load of the machine affects both alike. */
export async function byTurns(
  rounds: number,
  measure: () => Promise<number>,
  measureControl: () => Promise<number>,
) {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1)
    pairs.push([await measure(), await measureControl()]);
  return {
    figure: median(pairs.map(([figure]) => figure)),
    control: median(pairs.map(([, control]) => control)),
  };
}
