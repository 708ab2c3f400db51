// Parses a fact of shared/park-facts.ts, or the ground of a park, in the words of mappers, cities and users.
import type { Ground } from '../../../../shared/enums.ts';
import type { Expected } from '../../../../shared/import-report.ts';
import { isFactValue, PARK_FACTS, type ParkFactKey } from '../../../../shared/park-facts.ts';
import { parseHours } from '../../../../shared/opening-hours/parse-hours.ts';
import { cleanName } from '#/product/imports/clean-name.ts';
import {
  foldWord,
  latinDigits,
  LENGTH_UNITS,
  listOf,
  readNumber,
  readTruth,
  type DecimalSign,
} from '#/product/imports/values.ts';

const meaning = (synonyms: string, value: string): [string, string][] =>
  synonyms.split(',').map((word) => [word, value]);

/** Words of mappers and cities for the values of a fact, in addition to those for yes and no. */
const MEANINGS: Partial<Record<ParkFactKey, Map<string, string>>> = {
  lit: new Map([
    ...meaning('24/7,automatic,limited,sunset-sunrise,dusk-dawn,מואר,מוארת,مضاء,مضاءة', 'yes'),
    ...meaning('disused,לא מואר,غير مضاء', 'no'),
  ]),
  fenced: new Map([
    ...meaning('fully,fully fenced,fenced,fence,wall,hedge,מגודר,מגודרת,גדר,مسيج,مسيّج,سياج', 'yes'),
    ...meaning('unfenced,not fenced,לא מגודר,לא מגודרת,غير مسيج', 'no'),
  ]),
  small_dog: new Map([
    ...meaning('designated,separate area,נפרד,מתחם נפרד,منفصل,منفصلة', 'separate'),
    ...meaning('yes,משותף,مشترك', 'shared'),
  ]),
  wheelchair: new Map([
    ...meaning('designated,accessible,נגיש,נגישה,نعم بالكامل,متاح', 'yes'),
    ...meaning('partial,partially,נגיש חלקית,חלקי,جزئي', 'limited'),
  ]),
  dog: new Map([
    ...meaning('off_leash,off-leash,off leash,ללא רצועה,بدون رسن', 'unleashed'),
    ...meaning('on_leash,on-leash,on leash,עם רצועה,ברצועה,برسن', 'leashed'),
  ]),
  parking: new Map(
    meaning('surface,street_side,lane,underground,multi-storey,on_street,street,חניה,خارجي', 'yes'),
  ),
  fee: new Map([
    ...meaning('paid,בתשלום,مدفوع,برسوم', 'yes'),
    ...meaning('free,free of charge,חינם,ללא תשלום,مجاني,مجانا', 'no'),
  ]),
  access: new Map([
    ...meaning('yes,permissive,everyone,ציבורי,פתוח לציבור,عام', 'yes'),
    ...meaning('customer,guests,לקוחות,אורחים,زبائن', 'customers'),
    ...meaning('permits,permit only,license,residents,היתר,תושבים,تصريح', 'permit'),
    ...meaning('member,members only,חברים,أعضاء', 'members'),
  ]),
};

/** An amount of money. Zero means free of charge. */
const MONEY =
  /^(?:[$€£₪]|eur|usd|nis|ils)?\s*(\d+(?:[.,]\d+)?)\s*(?:[$€£₪]|eur|usd|nis|ils|ש"ח|שח)?\b.*$/;

function readChoice(key: ParkFactKey, written: unknown): string | null {
  // If the value is a list, the first known value is used. A slash does not separate values, because of 24/7.
  for (const word of [foldWord(written), ...foldWord(written).split(/\s*;\s*/)]) {
    const truth = readTruth(word);
    const amount = key === 'fee' && truth === null ? MONEY.exec(word) : null;
    const common =
      truth !== null
        ? truth
          ? 'yes'
          : 'no'
        : amount
          ? Number(amount[1]) > 0
            ? 'yes'
            : 'no'
          : word;
    for (const one of [word, common]) {
      const value = MEANINGS[key]?.get(one) ?? one;
      if (isFactValue(key, value)) return value;
    }
  }
  return null;
}

/**
 * Converts a value to its stored form.
 * @returns null if it is not recognised
 */
export function readFactValue(
  key: ParkFactKey,
  written: unknown,
  decimal?: DecimalSign,
): string | null {
  const values: readonly string[] | { from: number; to: number } | number = PARK_FACTS[key];
  if (typeof values === 'number') {
    const text = cleanName(latinDigits(String(written)));
    if (key === 'opening_hours' && parseHours(text) === null) return null;
    return isFactValue(key, text) ? text : null;
  }
  if ('from' in values) {
    const number = readNumber(written, LENGTH_UNITS, decimal);
    const rounded = number === null ? '' : String(Math.round(number * 10) / 10);
    return isFactValue(key, rounded) ? rounded : null;
  }
  return readChoice(key, written);
}

/** Returns the values that a fact may have, for the error message about another value. */
export function expectedValues(key: ParkFactKey): Expected {
  const values: readonly string[] | { from: number; to: number } | number = PARK_FACTS[key];
  if (key === 'opening_hours') return { type: 'hours', values: { example: 'Mo-Fr 06:00-22:00' } };
  if (typeof values === 'number') return { type: 'characters', values: { count: values } };
  return 'from' in values
    ? { type: 'metres', values }
    : { type: 'values', values: { values: values.join(', ') } };
}

const GROUND_WORDS = new Map<string, Ground>([
  ...(meaning('sand,חול,رمل,רמלי', 'SAND') as [string, Ground][]),
  ...(meaning(
    'dirt,earth,ground,soil,compacted,mud,unpaved,אדמה,עפר,כורכר,كركار,تراب,تربة,أرض',
    'DIRT',
  ) as [string, Ground][]),
  ...(meaning('grass,lawn,natural grass,turf,דשא,דשא טבעי,عشب,نجيل,gras,wiese', 'GRASS') as [
    string,
    Ground,
  ][]),
  ...(meaning(
    'synthetic_grass,synthetic grass,synthetic,synthetic turf,artificial_turf,artificial turf,artificial grass,astroturf,דשא סינתטי,דשא סינטטי,סינתטי,عشب صناعي,عشب اصطناعي,صناعي,kunstrasen',
    'SYNTHETIC_GRASS',
  ) as [string, Ground][]),
]);

/**
 * Parses the grounds in a value.
 * @returns `unknown` contains the words that were not recognised
 */
export function readGrounds(written: unknown): { known: Ground[]; unknown: string[] } {
  const known = new Set<Ground>();
  const unknown: string[] = [];
  for (const word of listOf(written)) {
    const ground = GROUND_WORDS.get(word.replaceAll('_', ' ')) ?? GROUND_WORDS.get(word);
    if (ground) known.add(ground);
    else unknown.push(word);
  }
  return { known: [...known].sort(), unknown };
}
