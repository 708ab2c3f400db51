// Folds text so that a search finds what a person means: no niqqud, harakat or accents, one form per letter.

/** Letters that people swap when typing: Hebrew finals, Arabic alef, ya, ta marbuta and the Persian twins. */
const TWINS: Record<string, string> = {
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  ı: 'i',
  ß: 'ss',
};
const TWIN = new RegExp(`[${Object.keys(TWINS).join('')}]`, 'gu');

/** The comparable form of a text: lower case, marks and tatweel gone, punctuation as single spaces. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    // Combining marks (niqqud, harakat, accents), tatweel, and the quotes inside Hebrew abbreviations (רח׳, ת״א).
    .replace(/[\p{M}\u0640\u05F3\u05F4'"’”]/gu, '')
    .toLowerCase()
    .replace(TWIN, (letter) => TWINS[letter] ?? letter)
    // Arabic-Indic and Persian digits have their value in the last four bits.
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** @param folded went through `foldText` already: long lists fold once, not at each key press */
export const matchesWords = (folded: string, query: string): boolean =>
  foldText(query)
    .split(' ')
    .every((word) => folded.includes(word));
