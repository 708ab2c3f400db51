// Temporary states of the user's dogs. They change only the advice on this device and are never sent.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export const DOG_STATES = ['puppy', 'inHeat'] as const;

/** A puppy is a dog without full vaccination. */
export type DogStates = Record<(typeof DOG_STATES)[number], boolean>;

export const readDogStates = (): DogStates => {
  const saved = (readLocal('dogStates') ?? '').split(' ');
  return { puppy: saved.includes('puppy'), inHeat: saved.includes('inHeat') };
};

export const saveDogStates = (now: DogStates): void =>
  writeLocal('dogStates', DOG_STATES.filter((each) => now[each]).join(' ') || null);
