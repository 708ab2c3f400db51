// The conditions of a park that people report; several screens show them.
export const CONDITIONS = ['muddy', 'gateClosed', 'underConstruction', 'brokenFountain'] as const;

export type Condition = (typeof CONDITIONS)[number];

/** The server may know more of them than this version of the app. */
export function isCondition(value: string): value is Condition {
  return (CONDITIONS as readonly string[]).includes(value);
}

/** One that is reported of a park now. */
export interface ConditionReport {
  id: string;
  condition: Condition;
  reported_at: string;
  confirmed_at: string | null;
  confirmations: number;
  expires_at: string;
  mine: boolean;
}
