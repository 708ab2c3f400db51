// The facts of a park: OpenStreetMap's keys and the values that are stored under them. private.park_fact_kinds() says the same
// in SQL, and a test compares the two. An unknown fact is not stored.

const YES_NO = ['yes', 'no'] as const;

/**
 * By key, in the order in which people read them: the values that there are, else the bounds of a number (with at most one digit
 * after the point), else the most characters of a text. Numbers are stored as texts, as OpenStreetMap does.
 *
 * `double_gate`, `dog_agility`, `excrement_bags` and `shelter_distance` are ours where OpenStreetMap has no key for the whole
 * park: osm-tags.ts says which tags they are read from.
 */
export const PARK_FACTS = {
  fenced: YES_NO,
  /** In metres. */
  'fence:height': { from: 0.3, to: 5 },
  double_gate: YES_NO,
  small_dog: ['separate', 'shared', 'no'],
  /** For dogs. */
  drinking_water: YES_NO,
  lit: YES_NO,
  bench: YES_NO,
  bin: YES_NO,
  excrement_bags: YES_NO,
  dog_agility: YES_NO,
  parking: YES_NO,
  wheelchair: ['yes', 'limited', 'no'],
  fee: YES_NO,
  /** Whom a park lets in that is not for everybody. */
  access: ['public', 'customers', 'permit', 'members'],
  dog: ['unleashed', 'leashed', 'no'],
  /** Metres to the nearest public shelter. */
  shelter_distance: { from: 0, to: 9999 },
  /** The grammar of OpenStreetMap's key of this name. */
  opening_hours: 255,
  /** When the rule for dogs is another one: `unleashed @ (Mo-Fr 06:00-09:00)`. */
  'dog:conditional': 255,
} as const satisfies Record<string, readonly string[] | { from: number; to: number } | number>;

export type ParkFactKey = keyof typeof PARK_FACTS;
export const PARK_FACT_KEYS = Object.keys(PARK_FACTS) as ParkFactKey[];

/** The facts with a list of values: what can be asked with a button for each, and filtered by. */
export type ChoiceKey = {
  [Key in ParkFactKey]: (typeof PARK_FACTS)[Key] extends readonly string[] ? Key : never;
}[ParkFactKey];
export type ChoiceValue<Key extends ChoiceKey> = (typeof PARK_FACTS)[Key][number];
export const CHOICE_KEYS = PARK_FACT_KEYS.filter((key): key is ChoiceKey =>
  Array.isArray(PARK_FACTS[key]),
);

export const isChoiceKey = (key: string): key is ChoiceKey =>
  CHOICE_KEYS.some((one) => one === key);

/** The facts that are numbers, all of them metres. */
export type NumberKey = {
  [Key in ParkFactKey]: (typeof PARK_FACTS)[Key] extends { from: number } ? Key : never;
}[ParkFactKey];
export const NUMBER_KEYS = PARK_FACT_KEYS.filter(
  (key): key is NumberKey => typeof PARK_FACTS[key] === 'object' && 'from' in PARK_FACTS[key],
);

export const isNumberKey = (key: string): key is NumberKey =>
  NUMBER_KEYS.some((one) => one === key);

/** What is stored of one park: a key that is missing is unknown. */
export type StoredFacts = Partial<Record<ParkFactKey, string>>;

export function isFactValue(key: ParkFactKey, value: string): boolean {
  const kind: readonly string[] | { from: number; to: number } | number = PARK_FACTS[key];
  if (typeof kind === 'number') return value !== '' && [...value].length <= kind;
  if ('from' in kind)
    return /^\d{1,4}(\.\d)?$/.test(value) && Number(value) >= kind.from && Number(value) <= kind.to;
  return kind.includes(value);
}
