// The conditions of a park that people report; several screens show them.
export const CONDITIONS = ['muddy', 'gateClosed', 'underConstruction', 'brokenFountain'] as const;

export type Condition = (typeof CONDITIONS)[number];

export function isCondition(value: string): value is Condition {
  return (CONDITIONS as readonly string[]).includes(value);
}
