// The few statistics that the benchmarks share; all take an array of numbers.

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));
