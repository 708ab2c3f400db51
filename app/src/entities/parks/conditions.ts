// Conditions of a park that users report, and notices of its town.
import { type NoticeKind, PARK_CONDITIONS, type ParkCondition } from '../../../../shared/enums.ts';

/** What a town says of a park that cards and the verdict tell like a condition. */
export type Closure = Extract<NoticeKind, 'closed' | 'sprayed'>;

/** The server may know more of them than this version of the app. */
export const isCondition = (value: string): value is ParkCondition | Closure =>
  (PARK_CONDITIONS as readonly string[]).includes(value) || isClosure(value);

const isClosure = (value: string): value is Closure => value === 'closed' || value === 'sprayed';

/** What the town of a park says, now or for later. */
export interface ParkNotice {
  id: string;
  kind: NoticeKind;
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
  condition: ParkCondition;
  reported_at: string;
  confirmations: number;
  expires_at: string;
  mine: boolean;
}
