// Pure rules of the queue: what replaces what, and what is sent next. Pauses between tries are in data/retry-policy.ts.
import type { MessageKey } from '#/i18n/i18n.ts';
import type { AnyCommand } from '#/offline/command-queue/define-command.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';

/** The reason where a command was about a moment that is over. */
export const TOO_LATE: MessageKey = 'queuedCommands.tooLate';

const isSameKind = (one: QueuedCommand, other: QueuedCommand) =>
  one.command === other.command && one.userId === other.userId;

const isSameInput = (one: QueuedCommand, other: QueuedCommand) =>
  JSON.stringify(one.input) === JSON.stringify(other.input);

/** The queue with one more command at its end, which takes the place of those that it replaces; a tap on what waits adds none. */
export function added(
  queue: readonly QueuedCommand[],
  next: QueuedCommand,
  { replaces }: Pick<AnyCommand, 'replaces'>,
): QueuedCommand[] {
  // A second tap with the same key is the same command.
  if (queue.some(({ id }) => id === next.id)) return [...queue];
  const last = queue.findLast((other) => isSameKind(other, next));
  if (!replaces && last?.rejection === null && isSameInput(last, next)) return [...queue];
  const isReplaced = (other: QueuedCommand) =>
    isSameKind(other, next) && (replaces?.(next.input, other.input) ?? false);
  return [...queue.filter((other) => !isReplaced(other)), next];
}

/** The queue without what was done, and with what that makes of later ones of the same kind. */
export const withoutDone = (
  queue: readonly QueuedCommand[],
  done: QueuedCommand,
  { afterDone }: Pick<AnyCommand, 'afterDone'>,
): QueuedCommand[] =>
  queue
    .filter(({ id }) => id !== done.id)
    .map((later) =>
      afterDone && isSameKind(later, done)
        ? { ...later, input: afterDone(later.input, done.input) }
        : later,
    );

/** What is sent next: the oldest that was not rejected, files last, for a large one on a thin line must not hold up a check-in. */
export function nextToSend(queue: readonly QueuedCommand[]): QueuedCommand | undefined {
  const pending = queue.filter(({ rejection }) => !rejection);
  return pending.find(({ hasFile }) => !hasFile) ?? pending[0];
}
