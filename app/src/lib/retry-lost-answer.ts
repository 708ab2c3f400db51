// For mutations with an idempotency key: no answer may mean that it was done, so the same request is sent again.
import { isNetworkFailure, toAppError } from '#/lib/errors.ts';

const MOST_RETRIES = 2;

/** Option `retry` of a mutation whose variables carry their key; never for one without. */
export function retryLostAnswer(failures: number, error: Error): boolean {
  if (!navigator.onLine || failures >= MOST_RETRIES) return false;
  return isNetworkFailure(error) || toAppError(error).status === 503;
}
