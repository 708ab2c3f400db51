// Makes user text safe for a terminal: one line without characters that move the cursor, set colours or change the direction.

/** Control characters, line and paragraph separators, and bidirectional formatting characters. */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces each such character with its code point, such as `\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(OBEYED, (character) =>
    character === '\n' ? ' ⏎ ' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
