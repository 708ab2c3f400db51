// Limits the calls to an external service by all hosts and functions together: the database assigns a time slot to each call.
import { unwrap, type ServiceClient } from './clients.ts';
import { HttpError } from './serve.ts';

/**
 * Counts a call to the service against the IP address that causes it.
 * @param most maximum calls per IP address in the interval `per`
 * @throws HttpError 429 above the limit
 */
export async function limitShare(
  client: ServiceClient,
  service: string,
  request: Request,
  most: number,
  per: '1 day' | '1 minute',
): Promise<void> {
  const written = ['cf-connecting-ip', 'x-forwarded-for'].map((name) => [
    name,
    request.headers.get(name),
  ]);
  const { error } = await client.rpc('limit_service_share', {
    p_service: service,
    p_headers: Object.fromEntries(written) as Record<string, string | null>,
    p_max: most,
    p_per: per,
  });
  if (error?.message === 'too_many') throw new HttpError(429, 'Too many requests, try later');
  if (error) throw new Error(error.message);
}

/**
 * Waits for the next slot in which the service may be called.
 * @param perSecond the number of calls per second that the service allows
 * @param maxWaiting the number of calls that may wait
 * @param perDay the number of calls per day (UTC) that the service allows
 * @returns false if all calls of the day are used up
 * @throws HttpError 503 if too many calls are waiting
 */
export async function waitForSlot(
  client: ServiceClient,
  service: string,
  perSecond: number,
  maxWaiting: number,
  perDay?: number,
): Promise<boolean> {
  const wait = unwrap<number | null>(
    await client.rpc('claim_service_slot', {
      p_service: service,
      p_per_second: perSecond,
      p_max_waiting: maxWaiting,
      ...(perDay !== undefined && { p_per_day: perDay }),
    }),
  );
  if (wait === null) throw new HttpError(503, 'Too many requests right now');
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  return wait >= 0;
}
