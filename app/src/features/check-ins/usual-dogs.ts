// Remembers the dogs of the last check-in on this device, and decides whether the next one must ask.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export const usualDogs = (): string[] => readLocal('usualDogs')?.split(' ') ?? [];

export const saveUsualDogs = (dogIds: readonly string[]): void =>
  writeLocal('usualDogs', dogIds.join(' '));

/** Called when a check-in is undone, so that the next one asks for the dogs again. */
export const clearUsualDogs = (): void => writeLocal('usualDogs', null);

/**
 * Returns true if the check-in needs no question: the user has only one dog, or was last at this park with the same dogs. A wrong
 * guess does little harm, because a check-in can be undone and extended.
 */
export const needsNoQuestion = (
  usual: readonly string[],
  dogs: readonly { id: string }[] | undefined,
  isThere: boolean,
): boolean =>
  dogs !== undefined &&
  usual.length > 0 &&
  usual.every((dog) => dogs.some(({ id }) => id === dog)) &&
  (dogs.length === 1 || isThere);
