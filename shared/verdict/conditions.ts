// Conditions of a park that the verdict knows.
import { type NoticeType, PARK_CONDITIONS, type ParkCondition } from '../enums.ts';

/** Notices that cards and the verdict treat as a condition. */
export type Closure = Extract<NoticeType, 'closed' | 'sprayed'>;

/** The server may have values that this version of the app does not have yet. */
export const isCondition = (value: string): value is ParkCondition | Closure =>
  (PARK_CONDITIONS as readonly string[]).includes(value) || isClosure(value);

export const isClosure = (value: string): value is Closure =>
  value === 'closed' || value === 'sprayed';
