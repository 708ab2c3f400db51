// The facts of a park as lists and pages know them, and the names that they have on screens.
import type {
  ChoiceKey,
  ChoiceValue,
  ParkFactKey,
  StoredFacts,
} from '../../../../shared/park-facts.ts';
import { type Ground, GROUNDS } from '../../../../shared/enums.ts';
import type { MessageKey } from '#/i18n/i18n.ts';

/** Null or missing where nothing is known. */
export interface ParkFacts {
  /** In square metres. */
  size: number | null;
  size_label: string | null;
  materials: string[] | null;
  /** Shaded hours a day. */
  shade: number | null;
  has_facilities: boolean | null;
  facts: StoredFacts;
}

/** The grounds of a park that this version of the app knows. */
export const groundsOf = (materials: readonly string[] | null | undefined): Ground[] =>
  GROUNDS.filter((ground) => materials?.includes(ground));

/** A key of OpenStreetMap as keys of messages are written. */
type Written<Key extends string> = Key extends `${infer Before}:${infer After}`
  ? `${Before}_${After}`
  : Key;

export const factLabel = (key: ParkFactKey): MessageKey =>
  `parks.fact.${key.replace(':', '_') as Written<ParkFactKey>}`;

export const choiceLabel = (key: ChoiceKey, value: ChoiceValue<ChoiceKey>): MessageKey =>
  key === 'dog' && value === 'no' ? 'parks.fact.value.noDogs' : `parks.fact.value.${value}`;
