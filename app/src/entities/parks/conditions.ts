// Conditions of a park that users report, and notices of its town.
import { type NoticeType, PARK_CONDITIONS, type ParkCondition } from '../../../../shared/enums.ts';

/** Notices that cards and the verdict treat as a condition. */
export type Closure = Extract<NoticeType, 'closed' | 'sprayed'>;

/** The server may have values that this version of the app does not have yet. */
export const isCondition = (value: string): value is ParkCondition | Closure =>
  (PARK_CONDITIONS as readonly string[]).includes(value) || isClosure(value);

const isClosure = (value: string): value is Closure => value === 'closed' || value === 'sprayed';

/** A notice of the park's municipality, current or upcoming. */
export interface ParkNotice {
  id: string;
  type: NoticeType;
  /** At most 300 characters on one line; may be empty. */
  text: string;
  starts_at: string;
  ends_at: string;
  town: string;
}

/** Returns the current notices that cards and the verdict show. */
export const closuresNow = (notices: readonly ParkNotice[]): string[] =>
  notices.flatMap(({ type, starts_at }) =>
    isClosure(type) && Date.parse(starts_at) <= Date.now() ? type : [],
  );

export interface ConditionReport {
  id: string;
  condition: ParkCondition;
  reported_at: string;
  confirmations: number;
  expires_at: string;
  mine: boolean;
}
