// What an avatar without a picture shows: a letter, and a tone that stays the same for a name.
const TONES = 4;

/** The first whole character of a name (emoji and marks kept together), upper case; '' for a blank name. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name.trim());
  return first?.segment.toLocaleUpperCase() ?? '';
}

/** 0 to 3, the same each time for the same name. */
export function toneOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % TONES;
}
