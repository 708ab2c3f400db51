// Facts of a park: OpenStreetMap keys and their allowed values. private.park_fact_types() has the same list in SQL, and a test
// compares the two. Unknown facts are not stored.

import { type Ground, GROUNDS } from './enums.ts';

const YES_NO = ['yes', 'no'] as const;

/**
 * Keys in display order. Each has its allowed values, the bounds of a number (at most one decimal), or the maximum length of a
 * text. Numbers are stored as strings, as in OpenStreetMap. OpenStreetMap has no key for `double_gate`, `dog_agility`,
 * `excrement_bags` and `shelter_distance` of a whole park; osm-tags.ts maps tags to them.
 */
export const PARK_FACTS = {
  fenced: YES_NO,
  /** Height in metres. */
  'fence:height': { from: 0.3, to: 5 },
  double_gate: YES_NO,
  small_dog: ['separate', 'shared', 'no'],
  /** Drinking water for dogs. */
  drinking_water: YES_NO,
  lit: YES_NO,
  bench: YES_NO,
  bin: YES_NO,
  excrement_bags: YES_NO,
  dog_agility: YES_NO,
  parking: YES_NO,
  wheelchair: ['yes', 'limited', 'no'],
  fee: YES_NO,
  /** Values for restricted entry. */
  access: ['public', 'customers', 'permit', 'members'],
  dog: ['unleashed', 'leashed', 'no'],
  /** Distance in metres to the nearest public shelter. */
  shelter_distance: { from: 0, to: 9999 },
  /** Text in the grammar of OpenStreetMap's opening_hours. */
  opening_hours: 255,
  /** Exceptions from the rule for dogs: `unleashed @ (Mo-Fr 06:00-09:00)`. */
  'dog:conditional': 255,
} as const satisfies Record<string, readonly string[] | { from: number; to: number } | number>;

export type ParkFactKey = keyof typeof PARK_FACTS;
export const PARK_FACT_KEYS = Object.keys(PARK_FACTS) as ParkFactKey[];

/** Facts with a list of values, which can be asked with buttons and used as filters. */
export type ChoiceKey = {
  [Key in ParkFactKey]: (typeof PARK_FACTS)[Key] extends readonly string[] ? Key : never;
}[ParkFactKey];
export type ChoiceValue<Key extends ChoiceKey> = (typeof PARK_FACTS)[Key][number];
export const CHOICE_KEYS = PARK_FACT_KEYS.filter((key): key is ChoiceKey =>
  Array.isArray(PARK_FACTS[key]),
);

export const isChoiceKey = (key: string): key is ChoiceKey =>
  CHOICE_KEYS.some((one) => one === key);

/** Numeric facts, all in metres. */
export type NumberKey = {
  [Key in ParkFactKey]: (typeof PARK_FACTS)[Key] extends { from: number } ? Key : never;
}[ParkFactKey];
export const NUMBER_KEYS = PARK_FACT_KEYS.filter(
  (key): key is NumberKey => typeof PARK_FACTS[key] === 'object' && 'from' in PARK_FACTS[key],
);

export const isNumberKey = (key: string): key is NumberKey =>
  NUMBER_KEYS.some((one) => one === key);

/** Stored facts of a park; a missing key means unknown. */
export type StoredFacts = Partial<Record<ParkFactKey, string>>;

export function isFactValue(key: ParkFactKey, value: string): boolean {
  const type: readonly string[] | { from: number; to: number } | number = PARK_FACTS[key];
  if (typeof type === 'number') return value !== '' && [...value].length <= type;
  if ('from' in type)
    return /^\d{1,4}(\.\d)?$/.test(value) && Number(value) >= type.from && Number(value) <= type.to;
  return type.includes(value);
}

/** Facts of a park. Each is null or missing if unknown. */
export interface ParkFacts {
  /** Square metres. */
  size: number | null;
  size_label: string | null;
  materials: string[] | null;
  /** Hours of shade per day. */
  shade: number | null;
  has_facilities: boolean | null;
  facts: StoredFacts;
}

/** Returns the types of ground that this version of the app supports. */
export const groundsOf = (materials: readonly string[] | null | undefined): Ground[] =>
  GROUNDS.filter((ground) => materials?.includes(ground));
