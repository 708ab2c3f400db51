// The minimum age for an account, for texts that mention it.
import { getConfig } from '#/platform/config.ts';

/** `older` is 'true' if the age is below 16; the message then adds that some countries require 16. */
export function minimumAge(): { age: number; older: string } {
  const { minimumAge: age = 13 } = getConfig();
  return { age, older: String(age < 16) };
}
