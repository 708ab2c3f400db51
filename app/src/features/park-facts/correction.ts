// Computes a correction from the form: the fields that differ from the park. Pure.
import * as v from 'valibot';
import {
  changedFacts,
  COLUMN_FACTS,
  draftOf,
  emptiedFacts,
  type FactsDraft,
} from '#/features/park-facts/facts-draft.ts';
import { parkFactsInput } from '#/features/park-facts/park-input.ts';
import { MAX_ADDRESS, MAX_NAME } from '#/features/park-facts/park-limits.ts';
import type { Park } from '#/entities/parks/park.ts';
import { formProblems, type FormProblems } from '#/ui/form-problems.ts';
import type { LatLong } from '#/core/distance.ts';
import { type Language, LANGUAGES } from '#/i18n/languages.ts';
import { PARK_CLAIMS, type ParkClaim } from '../../../../shared/enums.ts';
import {
  isFactValue,
  NUMBER_KEYS,
  type NumberKey,
  PARK_FACT_KEYS,
  type ParkFactKey,
  type StoredFacts,
} from '../../../../shared/park-facts.ts';

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

const text = (max: number) => v.optional(v.pipe(v.string(), v.maxLength(max, 'ui.field.tooLong')));

const translationInput = v.object({
  name: text(MAX_NAME),
  city: text(MAX_NAME),
  address: text(MAX_ADDRESS),
});

/** The changed fields of a park. */
export const correctionInput = v.object({
  ...v.partial(parkFactsInput).entries,
  translations: v.optional(v.record(v.picklist(LANGUAGE_CODES), translationInput)),
  /** Facts by OpenStreetMap key. Null resets a fact to unknown, also one of the columns above. */
  known: v.optional(
    v.record(v.picklist([...PARK_FACT_KEYS, ...COLUMN_FACTS]), v.nullable(v.string())),
  ),
  place: v.optional(v.object({ lat: v.number(), long: v.number() })),
  claim: v.optional(v.picklist(PARK_CLAIMS)),
  duplicateOf: v.optional(v.number()),
});

type CorrectionInput = v.InferOutput<typeof correctionInput>;

export interface CorrectionDraft {
  facts: FactsDraft;
  /** Facts by OpenStreetMap key; '' if unknown. */
  known: StoredFacts;
  names: Record<Language, string>;
  /** `city` and `address` are in the language of the app. */
  city: string;
  address: string;
  place: LatLong;
  claim: ParkClaim | '';
  duplicateOf: number | null;
}

const translationIn = (park: Park, language: Language) =>
  park.park_translations.find((row) => row.language === language);

/** Returns the form's initial values, which are the park's current ones. */
export const draftOfPark = (park: Park, language: Language): CorrectionDraft => ({
  facts: draftOf(park),
  known: park.facts,
  names: Object.fromEntries(
    LANGUAGE_CODES.map((code) => [code, translationIn(park, code)?.name ?? '']),
  ) as Record<Language, string>,
  city: translationIn(park, language)?.city ?? '',
  address: translationIn(park, language)?.address ?? '',
  place: { lat: park.lat, long: park.long },
  claim: '',
  duplicateOf: null,
});

/**
 * Returns the changes, or null if there are none. The user may empty an address or reset a fact to unknown, but an emptied name or
 * city is ignored, because every park has both.
 */
export function correctionOf(
  draft: CorrectionDraft,
  park: Park,
  language: Language,
): CorrectionInput | null {
  const before = draftOfPark(park, language);
  const changed = (now: string, then: string) => {
    const text = now.trim();
    return text !== '' && text !== then ? text : undefined;
  };
  const translations: NonNullable<CorrectionInput['translations']> = {};
  for (const code of LANGUAGE_CODES) {
    const entry = {
      name: changed(draft.names[code], before.names[code]),
      ...(code === language && {
        city: changed(draft.city, before.city),
        address: draft.address.trim() === before.address ? undefined : draft.address.trim(),
      }),
    };
    const given = Object.entries(entry).filter(([, value]) => value !== undefined);
    if (given.length > 0) translations[code] = Object.fromEntries(given);
  }
  const moved = draft.place.lat !== park.lat || draft.place.long !== park.long;
  const facts = changedFacts(draft.facts, park);
  const known = [
    ...Object.entries(draft.known)
      .map(([key, value]) => [key as ParkFactKey, value.trim()] as const)
      .filter(([key, value]) => value !== (park.facts[key] ?? ''))
      .map(([key, value]) => [key, value === '' ? null : value] as const),
    ...emptiedFacts(draft.facts, park).map((fact) => [fact, null] as const),
  ];
  const correction: CorrectionInput = {
    ...facts,
    ...(Object.keys(translations).length > 0 && { translations }),
    ...(known.length > 0 && { known: Object.fromEntries(known) }),
    ...(moved && { place: draft.place }),
    ...(draft.claim !== '' && {
      claim: draft.claim,
      ...(draft.claim === 'duplicate' &&
        draft.duplicateOf !== null && { duplicateOf: draft.duplicateOf }),
    }),
  };
  return Object.keys(correction).length > 0 ? correction : null;
}

/** Returns the number fields whose values cannot be stored. */
const unreadableNumbers = ({ known }: CorrectionDraft): NumberKey[] =>
  NUMBER_KEYS.filter((key) => {
    const value = known[key]?.trim() ?? '';
    return value !== '' && !isFactValue(key, value);
  });

/** Parts of the form. Only one is shown at a time. */
export const PARTS = ['details', 'names', 'place', 'claim'] as const;

export type Part = (typeof PARTS)[number];

/** Returns the name of the field; that of a park's name is `name.<language>`. */
const fieldOf = ([first, language, part]: readonly string[]) =>
  first === 'translations' ? (part === 'name' ? `name.${language ?? ''}` : part) : first;

function partOf(field: string): Part {
  if (field === 'city' || field === 'address' || field.startsWith('name.')) return 'names';
  return field === 'duplicateOf' ? 'claim' : 'details';
}

/** Validates a correction. Returns the problems by field and the first part of the form that has one, or null. */
export function correctionProblems(
  draft: CorrectionDraft,
  correction: CorrectionInput,
): { part: Part; problems: FormProblems } | null {
  const checked = v.safeParse(correctionInput, correction);
  const problems: FormProblems = checked.success ? {} : formProblems(checked.issues, fieldOf);
  for (const key of unreadableNumbers(draft)) problems[key] = 'parks.suggest.badMetres';
  if (draft.claim === 'duplicate' && draft.duplicateOf === null)
    problems.duplicateOf = 'parks.suggest.duplicateMissing';
  const wrong = Object.keys(problems).map(partOf);
  const part = PARTS.find((one) => wrong.includes(one));
  return part === undefined ? null : { part, problems };
}
