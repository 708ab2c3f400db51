// Sends a deed now, or keeps it for later when nothing answers; either way under the same idempotency key.
import { isUnanswered } from '#/i18n/errors.ts';
import { getOutbox, type NewDeed, outboxOwner } from '#/offline/command-queue/state.ts';
import { getSession } from '#/data/session/session.ts';

/** A moment, in which a short gap in the reception passes. */
const PAUSE_MS = 700;

/** What waits comes first: a check-out must not overtake its check-in, nor a heart the one before it. */
async function isNext(): Promise<boolean> {
  // Right after the start nobody has looked yet.
  if (outboxOwner() !== getSession().userId)
    await import('#/offline/command-queue/queue.ts')
      .then(({ readOutbox }) => readOutbox())
      .catch((error: unknown) => console.warn('What waits cannot be read:', error));
  return getOutbox().every((entry) => entry.refused !== null);
}

/**
 * What `send` answers, or 'queued' when the deed waits on this device. A refusal is thrown as it came.
 * @param deed `id` is the key that `send` uses, too
 * @throws {AppError} 507 when it can neither be sent nor kept
 */
export async function sendOrQueue<T>(deed: NewDeed, send: () => Promise<T>): Promise<T | 'queued'> {
  const { userId } = getSession();
  // In another tab somebody else may log in while this waits: it is not theirs.
  const isStillMine = () => getSession().userId === userId;
  const next = await isNext();
  for (let attempt = 0; next && navigator.onLine && attempt < 2; attempt++) {
    try {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (!isStillMine()) break;
      return await send();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
    }
  }
  const { enqueue } = await import('#/offline/command-queue/queue.ts');
  await enqueue(deed, userId);
  return 'queued';
}
