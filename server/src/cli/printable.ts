// What people wrote, for a terminal: one line, in which nothing moves the cursor, colours or turns the text around.

/** Control characters, line and paragraph separators, and what turns the direction of text. */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The text with each such character written as its code, `\u{1b}`. */
export const printable = (text: string): string =>
  text.replace(OBEYED, (character) =>
    character === '\n' ? ' ⏎ ' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
