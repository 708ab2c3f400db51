// Combines the responses of live_counts: first all parks, then only those that changed. Pure.
import type { BusyLevel } from '../enums.ts';
import { isHazard, type KnownHazard } from './hazards.ts';
import type { VerdictInput } from './verdict.ts';

/** The same levels as private.busy_level in the database. */
export function busyLevel(dogs: number): BusyLevel {
  if (dogs >= 7) return 'busy';
  return dogs >= 3 ? 'medium' : 'quiet';
}

export interface ParkLive {
  dogs_now: number;
  busy_level: BusyLevel;
  conditions: string[];
  hazards: KnownHazard[];
}

export interface LiveResponse {
  /** Cursor for the next request. */
  at: number;
  /** True if it contains all parks with data instead of only changed ones. */
  all?: boolean;
  /** Pairs of the difference to the previous park ID, and the number of dogs. */
  dogs?: number[];
  conditions?: Record<string, string[]>;
  /** Hazards by park ID, and whether each is verified. */
  hazards?: Record<string, Record<string, boolean>>;
}

export interface LiveCounts {
  at: number;
  /** Time of the last complete response, in milliseconds. Responses with changes omit data that was deleted since. */
  completeAt: number;
  /** Live data by park ID. A missing park has no dogs, conditions or hazards. */
  parks: Record<number, ParkLive>;
}

/** The state of a park that a response does not contain, because responses contain only parks with data. */
export const NOBODY: ParkLive = { dogs_now: 0, busy_level: 'quiet', conditions: [], hazards: [] };

/**
 * Corrects the counts by the user's own dogs that the server does not know about yet.
 * @param more dogs to add; negative to subtract
 */
export function withUnsentDogs<Counts extends Pick<ParkLive, 'dogs_now' | 'busy_level'>>(
  counts: Counts,
  more: number,
): Counts {
  const dogs_now = Math.max(0, counts.dogs_now + more);
  return { ...counts, dogs_now, busy_level: busyLevel(dogs_now) };
}

/** Returns the counts after a response without changing `before`. @param now milliseconds */
export function applyLiveResponse(
  before: LiveCounts | undefined,
  response: LiveResponse,
  now: number,
): LiveCounts {
  const parks = new Map(response.all ? [] : Object.entries(before?.parks ?? {}));
  const set = (id: string, change: Partial<Omit<ParkLive, 'busy_level'>>) => {
    const { dogs_now = 0, conditions = [], hazards = [] } = { ...parks.get(id), ...change };
    if (dogs_now === 0 && conditions.length === 0 && hazards.length === 0) parks.delete(id);
    else parks.set(id, { dogs_now, busy_level: busyLevel(dogs_now), conditions, hazards });
  };
  const { dogs = [], conditions = {}, hazards = {} } = response;
  for (let at = 0, id = 0; at + 1 < dogs.length; at += 2) {
    id += dogs[at] ?? 0;
    set(String(id), { dogs_now: dogs[at + 1] ?? 0 });
  }
  for (const [id, list] of Object.entries(conditions)) set(id, { conditions: list });
  for (const [id, known] of Object.entries(hazards)) set(id, { hazards: knownHazards(known) });
  const completeAt = response.all ? now : (before?.completeAt ?? 0);
  return { at: response.at, completeAt, parks: Object.fromEntries(parks) };
}

const knownHazards = (response: Record<string, boolean>): KnownHazard[] =>
  Object.entries(response).flatMap(([type, verified]) =>
    isHazard(type) ? [{ type, verified }] : [],
  );

/** Live counts of a park. Only parks with activity are listed; the others are empty. */
export function liveAt(
  counts: Readonly<Record<number, ParkLive>> | undefined,
  parkId: number,
  isNow = true,
): VerdictInput['live'] {
  if (!counts) return null;
  const { dogs_now, conditions } = counts[parkId] ?? NOBODY;
  return { dogs: isNow ? dogs_now : null, conditions };
}
