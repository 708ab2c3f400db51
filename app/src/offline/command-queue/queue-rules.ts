// Pure rules of the queue: which command replaces which, and which is sent next. The pauses between attempts are in data/retry-policy.ts.
import type { MessageKey } from '#/i18n/i18n.ts';
import type { QueueRules } from '#/offline/command-queue/define-command.ts';
import type { QueuedCommand } from '#/offline/command-queue/queued-commands.ts';

/** The reason if a command has been queued for too long. */
export const TOO_LATE: MessageKey = 'queuedCommands.tooLate';

const isSameCommand = (one: QueuedCommand, other: QueuedCommand) =>
  one.command === other.command && one.userId === other.userId;

const isSameInput = (one: QueuedCommand, other: QueuedCommand) =>
  JSON.stringify(one.input) === JSON.stringify(other.input);

/** Appends a command to the queue and removes those that it replaces. A duplicate is not appended. */
export function added(
  queue: readonly QueuedCommand[],
  next: QueuedCommand,
  { replaces }: Pick<QueueRules<unknown>, 'replaces'>,
): QueuedCommand[] {
  if (queue.some(({ id }) => id === next.id)) return [...queue];
  const last = queue.findLast((other) => isSameCommand(other, next));
  if (!replaces && last?.rejection === null && isSameInput(last, next)) return [...queue];
  const isReplaced = (other: QueuedCommand) =>
    isSameCommand(other, next) && (replaces?.(next.input, other.input) ?? false);
  return [...queue.filter((other) => !isReplaced(other)), next];
}

/** Removes a command that was sent and adapts later ones of the same name. */
export const withoutSent = (
  queue: readonly QueuedCommand[],
  sent: QueuedCommand,
  { afterSent }: Pick<QueueRules<unknown>, 'afterSent'>,
): QueuedCommand[] =>
  queue
    .filter(({ id }) => id !== sent.id)
    .map((later) =>
      afterSent && isSameCommand(later, sent)
        ? { ...later, input: afterSent(later.input, sent.input) }
        : later,
    );

/** The oldest command that was not rejected. Files come last, because a large upload must not delay a check-in. */
export function nextToSend(queue: readonly QueuedCommand[]): QueuedCommand | undefined {
  const sendable = queue.filter(({ rejection }) => !rejection);
  return sendable.find(({ hasFile }) => !hasFile) ?? sendable[0];
}
