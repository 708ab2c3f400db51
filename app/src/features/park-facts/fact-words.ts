// The facts of shared/park-facts.ts in words: their names and their values.
import { formatLength } from '#/core/distance.ts';
import {
  type ChoiceKey,
  type ChoiceValue,
  isChoiceKey,
  PARK_FACT_KEYS,
  type ParkFactKey,
  type StoredFacts,
} from '../../../../shared/park-facts.ts';
import { parseDogHours } from '#/core/opening-hours/dog-hours.ts';
import { parseHours } from '../../../../shared/parse-hours.ts';
import { choiceLabel } from '#/entities/parks/park-facts.ts';
import type { ColumnFact } from '#/features/park-facts/facts-draft.ts';
import type { MessageKey, Translate } from '#/i18n/i18n.ts';

export const COLUMN_LABELS: Readonly<Record<ColumnFact, MessageKey>> = {
  size: 'ui.size',
  materials: 'parks.filter.ground',
  shade: 'parks.filter.shade',
  has_facilities: 'parks.about.facilities',
};

/** Hours that we understand have a card of their own; others are shown as they are written. */
const isToldElsewhere = (key: ParkFactKey, facts: StoredFacts): boolean =>
  (key === 'opening_hours' && parseHours(facts[key] ?? '') !== null) ||
  (key === 'dog:conditional' && parseDogHours(facts.dog, facts[key]) !== null);

/** The facts that the grid shows, in order. */
export const shownFacts = (facts: StoredFacts): ParkFactKey[] =>
  PARK_FACT_KEYS.filter((key) => facts[key] !== undefined && !isToldElsewhere(key, facts));

/** The facts that are unknown because those who were there disagree, in order. @param disputed by key, their values */
export const disputedFacts = (facts: StoredFacts, disputed: object): ParkFactKey[] =>
  PARK_FACT_KEYS.filter((key) => facts[key] === undefined && key in disputed);

/** What visitors are not asked: hardly any park has it, or it cannot be seen on the spot. */
const NOT_ASKED: readonly ParkFactKey[] = ['dog:conditional', 'shelter_distance'];

/** The unknown facts that a visitor could tell, in order. */
export const missingFacts = (facts: StoredFacts): ParkFactKey[] =>
  PARK_FACT_KEYS.filter((key) => facts[key] === undefined && !NOT_ASKED.includes(key));

export function factValue(key: ParkFactKey, value: string, t: Translate, locale: string): string {
  if (isChoiceKey(key)) return t(choiceLabel(key, value as ChoiceValue<ChoiceKey>));
  // Signs and letters of a grammar that is read from left to right.
  if (key === 'opening_hours' || key === 'dog:conditional') return `\u2066${value}\u2069`;
  return formatLength(Number(value), locale);
}
