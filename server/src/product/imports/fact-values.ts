// Reads one fact of shared/park-facts.ts as sources write it: OpenStreetMap's mappers, cities and tables alike.
import { isFactValue, PARK_FACTS, type ParkFactKey } from '../../../../shared/park-facts.ts';

const WORDS: Record<string, string> = {
  true: 'yes',
  1: 'yes',
  כן: 'yes',
  نعم: 'yes',
  false: 'no',
  0: 'no',
  לא: 'no',
  لا: 'no',
  none: 'no',
};

/** 'yes' or 'no' for what means it in any of our languages, else the word as it is. @param word in lower case */
export const commonWord = (word: string): string => WORDS[word] ?? word;

/** Values that mean one of ours, beside yes and no. */
const MEANINGS: Partial<Record<ParkFactKey, Record<string, string>>> = {
  lit: {
    '24/7': 'yes',
    automatic: 'yes',
    limited: 'yes',
    'sunset-sunrise': 'yes',
    'dusk-dawn': 'yes',
    disused: 'no',
  },
  small_dog: { designated: 'separate', yes: 'shared' },
  wheelchair: { designated: 'yes' },
  dog: { off_leash: 'unleashed', on_leash: 'leashed' },
  parking: Object.fromEntries(
    ['surface', 'street_side', 'lane', 'underground', 'multi-storey', 'on_street'].map((kind) => [
      kind,
      'yes',
    ]),
  ),
};

/** What may stand behind a number. */
const METRES = /\s*(m|metres?|meters?|מטר|מטרים|متر|أمتار)$/;

function asNumber(written: string): string | null {
  const number = Number(written.replace(METRES, '').replace(',', '.'));
  return written === '' || Number.isNaN(number) ? null : String(Math.round(number * 10) / 10);
}

/**
 * The value as it is stored.
 * @param written as it stands in the file; of a list separated by semicolons the first known one counts
 * @returns null where it means nothing that we know
 */
export function readFactValue(key: ParkFactKey, written: unknown): string | null {
  const text = String(written).normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  const kind: readonly string[] | object | number = PARK_FACTS[key];
  if (typeof kind === 'number') return isFactValue(key, text) ? text : null;
  if (!Array.isArray(kind)) {
    const number = asNumber(text.toLowerCase());
    return number !== null && isFactValue(key, number) ? number : null;
  }
  for (const word of text.toLowerCase().split(/\s*;\s*/)) {
    const common = commonWord(word);
    const value = MEANINGS[key]?.[common] ?? common;
    if (isFactValue(key, value)) return value;
  }
  return null;
}
