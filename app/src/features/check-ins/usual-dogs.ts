// The dogs of the last check-in, on this device, and whether the next one needs to ask anything.
import { readLocal, writeLocal } from '#/platform/local-settings.ts';

export const usualDogs = (): string[] => readLocal('usualDogs')?.split(' ') ?? [];

export const saveUsualDogs = (dogIds: readonly string[]): void =>
  writeLocal('usualDogs', dogIds.join(' '));

/** The next check-in asks: the last one was undone. */
export const clearUsualDogs = (): void => writeLocal('usualDogs', null);

/** Who has one dog, or stands in the park with those of the last time, is asked nothing: a check-in can be undone and made longer. */
export const needsNoQuestion = (
  usual: readonly string[],
  dogs: readonly { id: string }[] | undefined,
  isThere: boolean,
): boolean =>
  dogs !== undefined &&
  usual.length > 0 &&
  usual.every((dog) => dogs.some(({ id }) => id === dog)) &&
  (dogs.length === 1 || isThere);
