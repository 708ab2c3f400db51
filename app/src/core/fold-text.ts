// Folds text for searching: removes niqqud, harakat and accents, and unifies variants of letters. private.fold_text does the same
// in SQL, and a test compares the two for every character. The rules are ranges and tables, because in SQL \p{L} and lower() depend
// on the database's locale.

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

/** Letters that are used interchangeably (Hebrew finals, Arabic alef, ya and ta marbuta), and letters that do not decompose. */
const SWAPPED = 'ךםןףץٱىیةکıØøŁłĐđÐðĦħŦŧς';
const SWAPPED_TO = 'כמנפצاييهكioollddddhhttσ';
/** Capital letters of Latin, Greek, Cyrillic and Armenian, then Arabic and Persian digits. */
const FROM =
  SWAPPED +
  range(0x41, 0x5a) +
  range(0x391, 0x3a1) +
  range(0x3a3, 0x3a9) +
  range(0x400, 0x42f) +
  range(0x531, 0x556) +
  range(0x660, 0x669) +
  range(0x6f0, 0x6f9);
const TO =
  SWAPPED_TO +
  range(0x61, 0x7a) +
  range(0x3b1, 0x3c1) +
  range(0x3c3, 0x3c9) +
  range(0x450, 0x45f) +
  range(0x430, 0x44f) +
  range(0x561, 0x586) +
  range(0x30, 0x39).repeat(2);
/** Letters folded to two letters. */
const DOUBLE: Record<string, string> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  þ: 'th',
  Þ: 'th',
};
const LETTERS = new Map([
  ...Object.entries(DOUBLE),
  ...[...FROM].map((letter, index) => [letter, TO.charAt(index)] as const),
]);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

/** Combining marks: niqqud, harakat and accents. */
const MARKS =
  String.raw`\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7` +
  String.raw`\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8` +
  String.raw`\u06ea-\u06ed\u08d3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f`;
/** Quotes and joiners, which are not typed in a search. */
const QUOTES =
  String.raw`\u0022\u0027\u0060\u00ad\u02bc\u05f3\u05f4\u0640\u200b-\u200f\u2018-\u201f` +
  String.raw`\u2032-\u2036\u2060-\u2064\ufe00-\ufe0f\ufeff`;
/** Spaces, punctuation and symbols. */
const BETWEEN_WORDS =
  String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u02b0-\u02ff` +
  String.raw`\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u0600-\u060f\u061b-\u061f` +
  String.raw`\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u0964\u0965\u2000-\u2bff\u2e00-\u2e7f` +
  String.raw`\u3000-\u3004\u3007-\u3020\u3030\u303d\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f` +
  String.raw`\ufff9-\uffff\u{1f000}-\u{1faff}\u{e0000}-\u{e0fff}`;
const SILENT = new RegExp(`[${MARKS}${QUOTES}]`, 'g');
const SEPARATORS = new RegExp(`[${BETWEEN_WORDS}]+`, 'gu');

/** The comparable form: lower case, without diacritics, and with single spaces instead of punctuation. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(SILENT, '')
    .replaceAll(SEPARATORS, ' ')
    .replaceAll(LETTER, (letter) => LETTERS.get(letter) ?? letter)
    .trim();

/** @param folded result of `foldText`: long lists are folded once, not on every key press */
export const matchesWords = (folded: string, query: string): boolean =>
  foldText(query)
    .split(' ')
    .every((word) => folded.includes(word));
