// Sends a command, or queues it if the response is missing. Both use the same idempotency key.
import * as v from 'valibot';
import { withAge } from '#/data/session/age-prompt.ts';
import { retryWithoutResponse } from '#/data/retry-policy.ts';
import { getSession, sessionReady } from '#/data/session/session.ts';
import { hasNoResponse } from '#/i18n/errors.ts';
import type { Command, Sending } from '#/offline/command-queue/define-command.ts';
import { getQueuedCommands, getQueueOwner } from '#/offline/command-queue/queued-commands.ts';
import { senderFor } from '#/offline/command-queue/sender.ts';
import { isOnline } from '#/platform/online.ts';

/**
 * Returns whether a new command may be sent directly. Queued commands are sent first, because a check-out must not overtake its
 * check-in.
 */
async function isQueueEmpty(): Promise<boolean> {
  // Right after the start the queue has not been read yet.
  if (getQueueOwner() !== getSession().userId)
    await import('#/offline/command-queue/queue.ts')
      .then(({ commandQueue }) => commandQueue.read())
      .catch((error: unknown) => console.warn('The queue cannot be read:', error));
  return getQueuedCommands().every(({ rejection }) => rejection !== null);
}

/** @returns 'queued' if it stays on this device for now @throws {AppError} on a rejection; 507 if it cannot be queued */
export async function runCommand<Input, Response>(
  command: Command<Input, Response>,
  values: Input,
  sending: Sending,
): Promise<Response | 'queued'> {
  const input = v.parse(command.input, values);
  // Right after the start the stored session has not been read yet.
  const { userId } = await sessionReady();
  // Check again before sending, because another user may have logged in in another tab.
  const maySend = () => isOnline() && getSession().userId === userId;
  if (!command.queue?.undo && (await isQueueEmpty()) && maySend()) {
    try {
      return await retryWithoutResponse(
        () => withAge(async () => command.send(input, await senderFor(userId, sending))),
        maySend,
      );
    } catch (error) {
      if (!hasNoResponse(error)) throw error;
    }
  }
  const { commandQueue } = await import('#/offline/command-queue/queue.ts');
  await commandQueue.enqueue(command, input, sending, userId);
  return 'queued';
}
