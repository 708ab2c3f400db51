// Lets all hosts and functions together call an outside service no oftener than it allows: the database gives the turns.
import { unwrap, type ServiceClient } from './clients.ts';

export class QueueFullError extends Error {}

/**
 * Waits for the next turn.
 * @param perSecond calls a second that the service allows
 * @param longest how many may wait; the next one is turned away with QueueFullError
 */
export async function takeTurn(
  client: ServiceClient,
  service: string,
  perSecond: number,
  longest: number,
): Promise<void> {
  const wait = unwrap<number | null>(
    await client.rpc('claim_outside_turn', {
      p_service: service,
      p_per_second: perSecond,
      p_longest: longest,
    }),
  );
  if (wait === null) throw new QueueFullError();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}
