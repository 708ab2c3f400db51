// Lets all hosts and functions together call an outside service no oftener than it allows: the database gives the turns.
import { unwrap, type ServiceClient } from './clients.ts';

export class QueueFullError extends Error {}
export class DayUsedError extends Error {}

/**
 * Waits for the next turn.
 * @param perSecond calls a second that the service allows
 * @param longest how many may wait; the next one is turned away with QueueFullError
 * @param perDay calls a day that the service allows (UTC); further ones are turned away with DayUsedError
 */
export async function takeTurn(
  client: ServiceClient,
  service: string,
  perSecond: number,
  longest: number,
  perDay?: number,
): Promise<void> {
  const wait = unwrap<number | null>(
    await client.rpc('claim_outside_turn', {
      p_service: service,
      p_per_second: perSecond,
      p_longest: longest,
      ...(perDay !== undefined && { p_per_day: perDay }),
    }),
  );
  if (wait === null) throw new QueueFullError();
  if (wait < 0) throw new DayUsedError();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}
