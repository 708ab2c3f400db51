// How old people with an account are at least, for the texts that say it.
import { getConfig } from '#/platform/config.ts';

/** `older`: whether some countries ask for 16 instead. */
export function minimumAge(): { age: number; older: string } {
  const { minimumAge: age = 13 } = getConfig();
  return { age, older: String(age < 16) };
}
