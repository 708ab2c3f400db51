// The few statistics that the benchmarks share; all take an array of numbers.

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => percentile(values, 0.5);

export const round = (value, digits = 2) => Number(value.toFixed(digits));
