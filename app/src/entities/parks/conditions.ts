// Conditions of a park that users report, and notices of its town.
import type { NoticeType, ParkCondition } from '../../../../shared/enums.ts';
import { isClosure } from '../../../../shared/verdict/conditions.ts';

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

/** Returns the types of the closures that have begun. */
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
