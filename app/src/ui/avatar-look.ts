// What tells avatars without a picture apart: a tone that stays the same for a name.
const TONES = 4;

/** 0 to 3, the same each time for the same name. */
export function toneOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % TONES;
}
