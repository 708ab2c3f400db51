// Sends a command now, or queues it when nothing answers; either way under the same idempotency key.
import * as v from 'valibot';
import { withAge } from '#/data/session/age-question.ts';
import { retryUnanswered } from '#/data/retry-policy.ts';
import { getSession } from '#/data/session/session.ts';
import { isUnanswered } from '#/i18n/errors.ts';
import type { Command, Sending } from '#/offline/command-queue/define-command.ts';
import { getQueuedCommands, getQueueOwner } from '#/offline/command-queue/queued-commands.ts';
import { senderFor } from '#/offline/command-queue/sender.ts';
import { isOnline } from '#/platform/online.ts';

/** Queued commands are sent first: a check-out must not overtake its check-in, nor a heart the one before it. */
async function isNext(): Promise<boolean> {
  // Right after the start the queue has not been read yet.
  if (getQueueOwner() !== getSession().userId)
    await import('#/offline/command-queue/queue.ts')
      .then(({ readQueue }) => readQueue())
      .catch((error: unknown) => console.warn('The queue cannot be read:', error));
  return getQueuedCommands().every((queued) => queued.rejection !== null);
}

/** @returns 'queued' when it stays on this device for now. @throws {AppError} a refusal; 507 when it cannot be queued */
export async function runCommand<Input, Answer>(
  command: Command<Input, Answer>,
  values: Input,
  sending: Sending,
): Promise<Answer | 'queued'> {
  const input = v.parse(command.input, values);
  const { userId } = getSession();
  // Another person may log in in another tab while this waits.
  const maySend = () => isOnline() && getSession().userId === userId;
  if (command.undoMs === undefined && (await isNext()) && maySend()) {
    try {
      return await retryUnanswered(
        () => withAge(async () => command.send(input, await senderFor(userId, command, sending))),
        maySend,
      );
    } catch (error) {
      if (!isUnanswered(error)) throw error;
    }
  }
  const { enqueue } = await import('#/offline/command-queue/queue.ts');
  await enqueue(command, input, sending, userId);
  return 'queued';
}
