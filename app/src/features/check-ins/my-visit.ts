// Where the person is, as every screen shows it: the server's answer, and what waits on this device after it. Pure.
import type { CheckInInput } from '#/features/check-ins/commands/check-in.command.ts';
import type { CheckOutInput } from '#/features/check-ins/commands/check-out.command.ts';
import type { ExtendInput } from '#/features/check-ins/commands/extend-stay.command.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { minutesAfter, MAX_STAY } from './check-in-limits.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';

export interface MyVisit extends MyCheckIn {
  /** Some of it is on this device alone until there is a network. */
  isWaiting: boolean;
}

/** What the commands that move a person say, by their names. */
interface Inputs {
  check_in: CheckInInput;
  check_out: CheckOutInput;
  extend_stay: ExtendInput;
}

type Queued = Pick<QueuedCommand, 'id' | 'command' | 'input' | 'queuedAt' | 'rejection'>;

export const isCommand = <Name extends keyof Inputs, One extends Pick<Queued, 'command' | 'input'>>(
  queued: One,
  name: Name,
): queued is One & { input: Inputs[Name] } => queued.command === name;

/**
 * Null where the person is at no park, undefined while that is unknown.
 * @param answer what the server said last
 * @param queue the person's commands, oldest first
 * @param now milliseconds since the epoch
 */
export function myVisit(
  answer: MyCheckIn | null | undefined,
  queue: readonly Queued[],
  now: number,
): MyVisit | null | undefined {
  const lasts = (visit: MyCheckIn) => Date.parse(visit.expires_at) > now;
  let visit: MyVisit | null | undefined =
    answer && (lasts(answer) ? { ...answer, isWaiting: false } : null);
  /** The id of the visit, and those of check-ins that find the person there already. */
  let ids = visit ? [visit.check_in_id] : [];
  /** What goes on where a switch that waits is undone. */
  let before: MyVisit | null = null;
  for (const queued of queue) {
    if (queued.rejection !== null) continue;
    if (isCommand(queued, 'check_in')) {
      const { id, input: next } = queued;
      if (visit?.park_id === next.parkId) ids.push(id);
      // The server asks first, and the answer is no until the person says so.
      else if (!visit || next.switch) {
        const begun = visitOf(id, next, queued.queuedAt);
        if (!lasts(begun)) continue;
        before = visit ?? null;
        visit = begun;
        ids = [id];
      }
    } else if (isCommand(queued, 'check_out')) {
      const { visitId, undo } = queued.input;
      if (!ids.includes(visitId)) continue;
      visit = undo ? before : null;
      before = null;
      ids = visit ? [visit.check_in_id] : [];
    } else if (isCommand(queued, 'extend_stay') && visit) {
      const { visitId, minutes } = queued.input;
      if (ids.includes(visitId)) visit = extended(visit, minutes);
    }
  }
  return visit;
}

/** By park id: how many more dogs are there by where the person is than by where the server knows them to be. */
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

const visitOf = (id: string, input: CheckInInput, since: number): MyVisit => ({
  check_in_id: id,
  park_id: input.parkId,
  park_name: input.parkName,
  started_at: new Date(since).toISOString(),
  expires_at: minutesAfter(since, input.stayMinutes),
  dog_count: input.dogIds.length || (input.dogCount ?? 1),
  counted: true,
  isWaiting: true,
});

function extended(visit: MyVisit, minutes: number): MyVisit {
  const most = minutesAfter(Date.parse(visit.started_at), MAX_STAY);
  const later = minutesAfter(Date.parse(visit.expires_at), minutes);
  return { ...visit, expires_at: later < most ? later : most, isWaiting: true };
}
