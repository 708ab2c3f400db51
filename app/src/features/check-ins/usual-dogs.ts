// Stores the dogs of the last check-in on this device, and decides whether the next check-in asks for the dogs.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export const usualDogs = (): string[] => readLocal('usualDogs')?.split(' ') ?? [];

export const saveUsualDogs = (dogIds: readonly string[]): void =>
  writeLocal('usualDogs', dogIds.join(' '));

/** Call this when a check-in is undone, so that the next one asks for the dogs again. */
export const clearUsualDogs = (): void => writeLocal('usualDogs', null);

interface Dog {
  id: string;
  kept?: boolean;
}

/** Returns the user's own dogs; if there are none, the dogs they keep for other users. */
export function defaultDogs(dogs: readonly Dog[]): string[] {
  const own = dogs.filter(({ kept }) => !kept);
  return (own.length > 0 ? own : dogs).map(({ id }) => id);
}

const canComeAgain = (usual: readonly string[], dogs: readonly Dog[]): boolean =>
  usual.length > 0 && usual.every((dog) => dogs.some(({ id }) => id === dog));

/** Returns the dogs of the last check-in if all of them may still come along. */
export function dogsToBring(dogs: readonly Dog[]): string[] {
  const usual = usualDogs();
  return canComeAgain(usual, dogs) ? usual : defaultDogs(dogs);
}

/**
 * Returns true if the user has only one dog, or was last at this park with the same dogs. A wrong guess does little harm, because a
 * check-in can be undone.
 */
export const needsNoQuestion = (
  usual: readonly string[],
  dogs: readonly Dog[] | undefined,
  isThere: boolean,
): boolean => dogs !== undefined && canComeAgain(usual, dogs) && (dogs.length === 1 || isThere);
