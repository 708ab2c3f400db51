// Sends a deed now, or without a network keeps it for later; either way under the same idempotency key.
import { isNetworkFailure, toAppError } from '#/lib/errors.ts';
import type { OutboxEntry } from '#/lib/outbox-state.ts';

const hasNoNetwork = (error: unknown): boolean =>
  !navigator.onLine && (isNetworkFailure(error) || toAppError(error).status === 503);

/**
 * What `send` answers, or 'queued' when it waits on this device. With a network a failure is thrown as it came.
 * @param entry `id` is the key that `send` uses, too
 */
export async function sendOrQueue<T>(
  entry: Pick<OutboxEntry, 'id' | 'rpc' | 'args'>,
  send: () => Promise<T>,
): Promise<T | 'queued'> {
  try {
    if (navigator.onLine) return await send();
  } catch (error) {
    if (!hasNoNetwork(error)) throw error;
  }
  const { enqueue } = await import('#/lib/outbox.ts');
  await enqueue(entry);
  return 'queued';
}
