// The user's current visit or plan with unsent check-ins, check-outs and extensions applied. Pure.
import { PLAN_GRACE, MAX_STAY, minutesAfter } from '#/features/check-ins/check-in-limits.ts';
import type { CheckInInput } from '#/features/check-ins/commands/check-in.command.ts';
import type { CheckOutInput } from '#/features/check-ins/commands/check-out.command.ts';
import type { ExtendInput } from '#/features/check-ins/commands/extend-stay.command.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { applyUnsent, type UnsentCommand } from '#/offline/command-queue/unsent-commands.ts';

export interface MyVisit extends MyCheckIn {
  /** True if the server has not confirmed the visit yet. */
  isQueued?: boolean;
  /** IDs of queued check-ins at the same park. The server will return this visit for them instead of creating another one. */
  otherIds?: readonly string[];
  /** The visit at another park that this check-in ends. The visit continues if the check-in is undone. */
  before?: MyVisit | null;
}

/** Null without a visit or plan, undefined while that is unknown. */
type Current = MyVisit | null | undefined;

const isOver = (visit: MyCheckIn, now: number) => Date.parse(visit.expires_at) <= now;

const hasId = ({ check_in_id, otherIds = [] }: MyVisit, id: string) =>
  check_in_id === id || otherIds.includes(id);

/** @param fetched the server's response @param now milliseconds since the epoch */
export function myVisit(
  fetched: MyCheckIn | null | undefined,
  unsent: readonly UnsentCommand[],
  now: number,
): Current {
  const current: Current = fetched && isOver(fetched, now) ? null : fetched;
  return applyUnsent(unsent, parkKeys.myCheckIn, current, now).data;
}

export function withCheckIn(
  current: Current,
  input: CheckInInput,
  { id, at, now }: { id: string; at: number; now: number },
): Current {
  const { parkId, stayMinutes, dogIds, dogCount, arrivesIn } = input;
  // A check-in ends the user's plan.
  const visit = current?.type === 'plan' ? null : current;
  if (visit?.park_id === parkId) return { ...visit, otherIds: [...(visit.otherIds ?? []), id] };
  // Without `switch` the server changes nothing, and the app asks the user whether to switch.
  if (visit && !input.switch) return visit;
  const begun: MyVisit = {
    check_in_id: id,
    park_id: parkId,
    park_name: input.parkName,
    started_at: new Date(at).toISOString(),
    expires_at: minutesAfter(at, arrivesIn ? arrivesIn + PLAN_GRACE : stayMinutes),
    dog_count: dogIds.length || (dogCount ?? 1),
    counted: !arrivesIn,
    type: arrivesIn ? 'plan' : 'visit',
    arrives_at: arrivesIn ? minutesAfter(at, arrivesIn) : null,
    isQueued: true,
    // When a plan ends, the visit before it does not continue.
    before: (!arrivesIn && visit) || null,
  };
  return isOver(begun, now) ? visit : begun;
}

export function withCheckOut(visit: Current, { visitId, undo }: CheckOutInput): Current {
  if (!visit || !hasId(visit, visitId)) return visit;
  return undo ? (visit.before ?? null) : null;
}

export function withLongerStay(visit: Current, { visitId, minutes }: ExtendInput): Current {
  if (!visit || !hasId(visit, visitId)) return visit;
  const latest = minutesAfter(Date.parse(visit.started_at), MAX_STAY);
  const extended = minutesAfter(Date.parse(visit.expires_at), minutes);
  return { ...visit, expires_at: extended < latest ? extended : latest, isQueued: true };
}

/** Returns, by park ID, by how much the unsent commands change the server's dog count. */
export function dogsMoved(
  known: MyCheckIn | null,
  visit: MyCheckIn | null,
): Record<number, number> {
  const moved: Record<number, number> = {};
  for (const [at, sign] of [
    [known, -1],
    [visit, 1],
  ] as const)
    if (at?.counted) moved[at.park_id] = (moved[at.park_id] ?? 0) + sign * at.dog_count;
  return moved;
}
