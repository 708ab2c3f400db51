// A park's facts as used by lists and pages, and their labels.
import type {
  ChoiceKey,
  ChoiceValue,
  ParkFactKey,
  StoredFacts,
} from '../../../../shared/park-facts.ts';
import { type Ground, GROUNDS } from '../../../../shared/enums.ts';
import type { MessageKey } from '#/i18n/i18n.ts';

/** Null or missing if unknown. */
export interface ParkFacts {
  /** In square metres. */
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

/** Converts an OpenStreetMap key to the spelling used in message keys. */
type Written<Key extends string> = Key extends `${infer Before}:${infer After}`
  ? `${Before}_${After}`
  : Key;

export const factLabel = (key: ParkFactKey): MessageKey =>
  `parks.fact.${key.replace(':', '_') as Written<ParkFactKey>}`;

export const choiceLabel = (key: ChoiceKey, value: ChoiceValue<ChoiceKey>): MessageKey =>
  key === 'dog' && value === 'no' ? 'parks.fact.value.noDogs' : `parks.fact.value.${value}`;
