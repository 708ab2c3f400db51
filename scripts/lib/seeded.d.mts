// Types of seeded.mjs, for the TypeScript that uses it.
export interface Seeded {
  next(): number;
  upTo(n: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
}
export declare function seeded(seed: number): Seeded;
