// Keeps the calls of all hosts and functions together to an external service below its limits: the database hands out slots.
import { unwrap, type ServiceClient } from './clients.ts';

export class QueueFullError extends Error {}
export class DailyLimitError extends Error {}

/**
 * Waits until the next call to the service may be made.
 * @param perSecond calls a second that the service allows
 * @param maxWaiting how many calls may wait; the next one is refused with QueueFullError
 * @param perDay calls a day that the service allows (UTC); further ones are refused with DailyLimitError
 */
export async function waitForSlot(
  client: ServiceClient,
  service: string,
  perSecond: number,
  maxWaiting: number,
  perDay?: number,
): Promise<void> {
  const wait = unwrap<number | null>(
    await client.rpc('claim_service_slot', {
      p_service: service,
      p_per_second: perSecond,
      p_max_waiting: maxWaiting,
      ...(perDay !== undefined && { p_per_day: perDay }),
    }),
  );
  if (wait === null) throw new QueueFullError();
  if (wait < 0) throw new DailyLimitError();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}
