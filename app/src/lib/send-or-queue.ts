// Sends a deed now, or keeps it for later when nothing answers; either way under the same idempotency key.
import { isNetworkFailure, toAppError } from '#/lib/errors.ts';
import { getOutbox, type NewDeed } from '#/lib/outbox-state.ts';

/** A moment, in which a short gap in the reception passes. */
const PAUSE_MS = 700;

/** No answer: the device has no network, believes so, or the answer was lost; the deed may even be done. */
const isUnanswered = (error: unknown): boolean =>
  isNetworkFailure(error) || toAppError(error).status === 503;

/**
 * What `send` answers, or 'queued' when the deed waits on this device. A refusal is thrown as it came.
 * @param deed `id` is the key that `send` uses, too
 * @throws {AppError} 507 when it can neither be sent nor kept
 */
export async function sendOrQueue<T>(deed: NewDeed, send: () => Promise<T>): Promise<T | 'queued'> {
  // What waits comes first: a check-out must not overtake its check-in.
  const isNext = getOutbox().every((entry) => entry.refused !== null);
  for (let attempt = 0; isNext && navigator.onLine && attempt < 2; attempt++) {
    try {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return await send();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
    }
  }
  const { enqueue } = await import('#/lib/outbox.ts');
  await enqueue(deed);
  return 'queued';
}
