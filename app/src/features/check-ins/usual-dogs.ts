// Remembers the dogs of the last check-in on this device, and decides whether the next one must ask.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export const usualDogs = (): string[] => readLocal('usualDogs')?.split(' ') ?? [];

export const saveUsualDogs = (dogIds: readonly string[]): void =>
  writeLocal('usualDogs', dogIds.join(' '));

/** After an undone check-in, the next one asks. */
export const clearUsualDogs = (): void => writeLocal('usualDogs', null);

/** A user with one dog, or at the park with the same dogs as last time, is not asked: a check-in can be undone and extended. */
export const needsNoQuestion = (
  usual: readonly string[],
  dogs: readonly { id: string }[] | undefined,
  isThere: boolean,
): boolean =>
  dogs !== undefined &&
  usual.length > 0 &&
  usual.every((dog) => dogs.some(({ id }) => id === dog)) &&
  (dogs.length === 1 || isThere);
