// Where the person is, as every screen shows it: the server's answer, and what waits on this device after it. Pure.
import type { CheckInInput } from '#/features/check-ins/commands/check-in.command.ts';
import type { CheckOutInput } from '#/features/check-ins/commands/check-out.command.ts';
import type { ExtendInput } from '#/features/check-ins/commands/extend-stay.command.ts';
import type { MyCheckIn } from '#/features/check-ins/queries/my-check-in.ts';
import { minutesAfter, MAX_STAY } from './stay.ts';
import type { QueuedCommand } from '#/offline/command-queue/pending.ts';

export interface Stay extends MyCheckIn {
  /** Some of it is on this device alone until there is a network. */
  isWaiting: boolean;
}

type Queued = Pick<QueuedCommand, 'id' | 'command' | 'input' | 'queuedAt' | 'refused'>;

/**
 * Null where the person is at no park, undefined while that is unknown.
 * @param answer what the server said last
 * @param queue the person's commands, oldest first
 * @param now milliseconds since the epoch
 */
export function myStay(
  answer: MyCheckIn | null | undefined,
  queue: readonly Queued[],
  now: number,
): Stay | null | undefined {
  const lasts = (stay: MyCheckIn) => Date.parse(stay.expires_at) > now;
  let stay: Stay | null | undefined =
    answer && (lasts(answer) ? { ...answer, isWaiting: false } : null);
  /** The id of the visit, and those of check-ins that find the person there already. */
  let ids = stay ? [stay.check_in_id] : [];
  /** What goes on where a switch that waits is undone. */
  let before: Stay | null = null;
  for (const { id, command, input, queuedAt, refused } of queue) {
    if (refused !== null) continue;
    if (command === 'check_in') {
      const next = input as CheckInInput;
      if (stay?.park_id === next.parkId) ids.push(id);
      // The server asks first, and the answer is no until the person says so.
      else if (!stay || next.switch) {
        const begun = stayOf(id, next, queuedAt);
        if (!lasts(begun)) continue;
        before = stay ?? null;
        stay = begun;
        ids = [id];
      }
    } else if (command === 'check_out') {
      const { visitId, undo } = input as CheckOutInput;
      if (!ids.includes(visitId)) continue;
      stay = undo ? before : null;
      before = null;
      ids = stay ? [stay.check_in_id] : [];
    } else if (command === 'extend_stay' && stay) {
      const { visitId, minutes } = input as ExtendInput;
      if (ids.includes(visitId)) stay = extended(stay, minutes);
    }
  }
  return stay;
}

/** By park id: how many more dogs are there by where the person is than by where the server knows them to be. */
export function dogsMoved(known: MyCheckIn | null, stay: MyCheckIn | null): Record<number, number> {
  const moved: Record<number, number> = {};
  for (const [at, sign] of [
    [known, -1],
    [stay, 1],
  ] as const)
    if (at?.counted) moved[at.park_id] = (moved[at.park_id] ?? 0) + sign * at.dog_count;
  return moved;
}

const stayOf = (id: string, input: CheckInInput, since: number): Stay => ({
  check_in_id: id,
  park_id: input.parkId,
  park_name: input.parkName,
  started_at: new Date(since).toISOString(),
  expires_at: minutesAfter(since, input.stayMinutes),
  dog_count: input.dogIds.length || (input.dogCount ?? 1),
  counted: true,
  isWaiting: true,
});

function extended(stay: Stay, minutes: number): Stay {
  const most = minutesAfter(Date.parse(stay.started_at), MAX_STAY);
  const later = minutesAfter(Date.parse(stay.expires_at), minutes);
  return { ...stay, expires_at: later < most ? later : most, isWaiting: true };
}
