// A small, reproducible random number generator (mulberry32), so that a failed run can be repeated.

export interface Seeded {
  next(): number;
  upTo(n: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
}

export function seeded(seed: number): Seeded {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const upTo = (n: number) => Math.floor(next() * n);
  const pick = <T>(list: readonly T[]) => list[upTo(list.length)] as T;
  return { next, upTo, pick, chance: (share: number) => next() < share };
}

/** Splits a text into words. A list of names is shorter this way than with one per line. */
export const words = (text: string): string[] => text.trim().split(/\s+/);
