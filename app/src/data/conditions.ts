// The conditions of a park that people report; several screens show them.
export const CONDITIONS = ['muddy', 'gateClosed', 'underConstruction', 'brokenFountain'] as const;

export type Condition = (typeof CONDITIONS)[number];

/** What a town says of a park that cards and the verdict tell like a condition. */
export type Closure = 'closed' | 'sprayed';

/** The server may know more of them than this version of the app. */
export const isCondition = (value: string): value is Condition | Closure =>
  (CONDITIONS as readonly string[]).includes(value) || isClosure(value);

const isClosure = (value: string): value is Closure => value === 'closed' || value === 'sprayed';

/** What the town of a park says, now or for later. */
export interface ParkNotice {
  id: string;
  kind: Closure | 'works' | 'event';
  /** At most 300 characters, in one line, or empty. */
  text: string;
  starts_at: string;
  ends_at: string;
  town: string;
}

/** What of it cards and the verdict tell now. */
export const closuresNow = (notices: readonly ParkNotice[]): string[] =>
  notices.flatMap(({ kind, starts_at }) =>
    isClosure(kind) && Date.parse(starts_at) <= Date.now() ? kind : [],
  );

export interface ConditionReport {
  id: string;
  condition: Condition;
  reported_at: string;
  confirmations: number;
  expires_at: string;
  mine: boolean;
}
