// Labels and formatted values for the facts of shared/park-facts.ts.
import { formatLength } from '#/core/distance.ts';
import {
  type ChoiceKey,
  type ChoiceValue,
  isChoiceKey,
  PARK_FACT_KEYS,
  type ParkFactKey,
  type StoredFacts,
} from '../../../../shared/park-facts.ts';
import { parseDogHours } from '../../../../shared/opening-hours/dog-hours.ts';
import { parseHours } from '../../../../shared/opening-hours/parse-hours.ts';
import { choiceLabel } from '#/entities/parks/park-facts.ts';
import { type ParkFacts } from '../../../../shared/park-facts.ts';
import { COLUMN_FACTS, type ColumnFact } from '#/features/park-facts/facts-draft.ts';
import type { MessageKey, Translate } from '#/i18n/i18n.ts';

export const COLUMN_LABELS: Readonly<Record<ColumnFact, MessageKey>> = {
  size: 'ui.size',
  materials: 'parks.filter.ground',
  shade: 'parks.filter.shade',
  has_facilities: 'parks.about.facilities',
};

/** Hours that could be parsed are shown on a separate card. Other hours are shown in the grid as they were entered. */
const hasOwnCard = (key: ParkFactKey, facts: StoredFacts): boolean =>
  (key === 'opening_hours' && parseHours(facts[key] ?? '') !== null) ||
  (key === 'dog:conditional' && parseDogHours(facts.dog, facts[key]) !== null);

/** Returns the facts to show in the grid, in order. */
export const shownFacts = (facts: StoredFacts): ParkFactKey[] =>
  PARK_FACT_KEYS.filter((key) => facts[key] !== undefined && !hasOwnCard(key, facts));

/** Returns the facts that are unknown because visitors disagree, in order. @param disputed values by key */
export const disputedFacts = (facts: StoredFacts, disputed: object): ParkFactKey[] =>
  PARK_FACT_KEYS.filter((key) => facts[key] === undefined && key in disputed);

/** Visitors are not asked for these facts, because hardly any park has them, or because they are hard to see on the spot. */
const NOT_ASKED: readonly ParkFactKey[] = ['dog:conditional', 'shelter_distance'];

/** Returns the unknown facts that a visitor could answer, in order. */
const missingFacts = (facts: StoredFacts): ParkFactKey[] =>
  PARK_FACT_KEYS.filter((key) => facts[key] === undefined && !NOT_ASKED.includes(key));

/** Facts that each state that the park has a certain facility. */
const FACILITIES: readonly ParkFactKey[] = [
  'drinking_water',
  'bench',
  'bin',
  'excrement_bags',
  'dog_agility',
];

/** True if the facts name a facility, because 'Facilities: Yes' then adds no information. */
export const namesFacility = (facts: StoredFacts): boolean =>
  FACILITIES.some((key) => facts[key] === 'yes');

/** Returns the facts of a park that a visitor could add, in the order of the form. */
export const unknownFacts = (
  park: ParkFacts,
  except: readonly ParkFactKey[] = [],
): (ColumnFact | ParkFactKey)[] => [
  ...COLUMN_FACTS.filter((column) => isUnknown(park[column])),
  ...missingFacts(park.facts).filter((key) => !except.includes(key)),
];

const isUnknown = (value: unknown) =>
  value === null || (Array.isArray(value) && value.length === 0);

export function factValue(key: ParkFactKey, value: string, t: Translate, locale: string): string {
  if (isChoiceKey(key)) return t(choiceLabel(key, value as ChoiceValue<ChoiceKey>));
  // Isolate OpenStreetMap's left-to-right syntax in right-to-left text.
  if (key === 'opening_hours' || key === 'dog:conditional') return `\u2066${value}\u2069`;
  return formatLength(Number(value), locale);
}
