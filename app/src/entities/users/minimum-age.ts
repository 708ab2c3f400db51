// The minimum age for an account, for texts that mention it.
import { getConfig } from '#/platform/config.ts';

/** `older` is 'true' if some countries require 16 instead; it selects a variant of the message. */
export function minimumAge(): { age: number; older: string } {
  const { minimumAge: age = 13 } = getConfig();
  return { age, older: String(age < 16) };
}
