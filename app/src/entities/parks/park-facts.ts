// Labels of a park's facts.
import type { ChoiceKey, ChoiceValue, ParkFactKey } from '../../../../shared/park-facts.ts';
import type { MessageKey } from '#/i18n/i18n.ts';

/** Converts an OpenStreetMap key to the spelling used in message keys. */
type Written<Key extends string> = Key extends `${infer Before}:${infer After}`
  ? `${Before}_${After}`
  : Key;

export const factLabel = (key: ParkFactKey): MessageKey =>
  `parks.fact.${key.replace(':', '_') as Written<ParkFactKey>}`;

export const choiceLabel = (key: ChoiceKey, value: ChoiceValue<ChoiceKey>): MessageKey =>
  key === 'dog' && value === 'no' ? 'parks.fact.value.noDogs' : `parks.fact.value.${value}`;
