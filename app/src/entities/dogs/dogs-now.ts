// What is so with my dogs for some time; it changes only what this device advises, and never leaves it.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export const DOGS_NOW = ['puppy', 'inHeat'] as const;

/** puppy: not vaccinated yet. */
export type DogsNow = Record<(typeof DOGS_NOW)[number], boolean>;

export const dogsNow = (): DogsNow => {
  const kept = (readLocal('dogsNow') ?? '').split(' ');
  return { puppy: kept.includes('puppy'), inHeat: kept.includes('inHeat') };
};

export const saveDogsNow = (now: DogsNow): void =>
  writeLocal('dogsNow', DOGS_NOW.filter((each) => now[each]).join(' ') || null);
