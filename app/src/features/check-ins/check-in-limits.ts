// The limits of a check-in: the length of a visit and the number of dogs. The database rejects values beyond its own limits.
import { MINUTE_MS } from '../../../../shared/durations.ts';

/** Limits of the database in minutes. */
export const MIN_STAY = 1;
export const MAX_STAY = 240;
export const DEFAULT_STAY = 60;

/** Maximum number of dogs that one user can bring. */
export const MAX_DOGS = 20;

/** Maximum number of dogs counted for a check-in without named dogs. */
export const MAX_UNNAMED_DOGS = 2;

export const STAY_CHOICES = [30, 45, DEFAULT_STAY, 90] as const;

/** Minutes until the arrival that a user on the way can announce. */
export const ARRIVAL_CHOICES = [5, 10, 20, 30] as const;

/** A plan ends this many minutes after the announced arrival. */
export const PLAN_GRACE = 15;

/** Returns the first choice that leaves enough time for the walk; 10 if its length is unknown. @param walk in minutes */
export const arrivalChoice = (walk: number | null): number =>
  walk === null
    ? 10
    : (ARRIVAL_CHOICES.find((choice) => choice >= walk) ?? Math.max(...ARRIVAL_CHOICES));

/** How long a check-in can be undone, in milliseconds, like private.min_visit_duration() in the database. */
export const VISIT_UNDO_MS = 5 * MINUTE_MS;

/** How long the visit bar offers to undo a check-in. The database notifies friends afterwards. */
export const UNDO_OFFERED_MS = 10_000;

const EXTENSION = 30;

/** Returns an ISO 8601 timestamp. @param since milliseconds since the epoch */
export const minutesAfter = (since: number, minutes: number): string =>
  new Date(since + minutes * MINUTE_MS).toISOString();

/** Returns the whole minutes until a visit ends. At most the planned stay, because the device's clock may be wrong. */
export function minutesLeft(startedAt: string, expiresAt: string, now: number): number {
  const [start, end] = [Date.parse(startedAt), Date.parse(expiresAt)];
  return Math.max(0, Math.ceil((end - Math.max(start, now)) / MINUTE_MS));
}

/**
 * The remaining minutes of a visit that started late, or null if it has expired.
 * @param waited milliseconds
 */
export function minutesAfterDelay(stayMinutes: number, waited: number): number | null {
  const left = stayMinutes - Math.floor(waited / MINUTE_MS);
  return left < MIN_STAY ? null : left;
}

/** Returns the length of a visit in whole minutes. @param until milliseconds since the epoch */
export const minutesOf = (startedAt: string, until: number): number =>
  Math.max(1, Math.round((until - Date.parse(startedAt)) / MINUTE_MS));

/** The elapsed share of a visit, 0 to 1. */
export function shareGone(startedAt: string, expiresAt: string, now: number): number {
  const [start, end] = [Date.parse(startedAt), Date.parse(expiresAt)];
  return end <= start ? 1 : Math.min(1, Math.max(0, (now - start) / (end - start)));
}

/** Minutes by which a visit can be extended without exceeding the maximum stay. */
export function extensionLeft(startedAt: string, expiresAt: string): number {
  const planned = (Date.parse(expiresAt) - Date.parse(startedAt)) / MINUTE_MS;
  return Math.max(0, Math.min(EXTENSION, Math.floor(MAX_STAY - planned)));
}
