// Cleans names like private.clean_name in SQL. A test compares the two.

const LINE_ENDS = /[\t-\r\u0085\u2028\u2029]/g;
/** Control characters, characters that change the direction of text, tags, and characters that PostgreSQL cannot store. */
const CONTROLS = new RegExp(
  String.raw`[\p{Cs}\0-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e0fff}]`,
  'gu',
);
const INVISIBLE = new RegExp(
  String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufff8]`,
  'gu',
);
const SPACES = /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+/gu;

const EMOJI =
  '\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\u{1f000}-\u{1faff}';
/** Letters of scripts in which a zero-width joiner changes how its neighbours are written. */
const JOINED = '\u0620-\u065f\u066e-\u06ef\u06fa-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff';

const inside = (joiner: string, characters: string) =>
  `(?<=[${characters}])${joiner}(?![${characters}])`;
/** A variation selector of emoji after a character that is not an emoji. */
const STRAY_SELECTOR = new RegExp(`(?<![${EMOJI}0-9#*])\ufe0f|(?<=[0-9#*])\ufe0f(?!\u20e3)`, 'gu');
/** A zero-width joiner that is not between two characters it can join. */
const STRAY_JOINER = new RegExp(
  [
    `(?<![${EMOJI}\ufe0f${JOINED}])\u200d`,
    inside('\u200d', `${EMOJI}\ufe0f`),
    inside('\u200d', JOINED),
    `(?<![${JOINED}])\u200c`,
    `\u200c(?![${JOINED}])`,
  ].join('|'),
  'gu',
);

/** Returns a name on one line, without invisible characters. Only joiners that affect their neighbours stay. */
export const cleanName = (text: string): string =>
  text
    .replaceAll(LINE_ENDS, ' ')
    .replaceAll(CONTROLS, '')
    .normalize('NFC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(STRAY_SELECTOR, '')
    .replaceAll(STRAY_JOINER, '')
    .replaceAll(SPACES, ' ')
    .replaceAll(/^ +| +$/g, '');
