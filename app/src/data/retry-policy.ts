// When and how often a request is retried, and after which pause: for queries, commands, the queue and refreshed sessions.
import { hasNoResponse } from '#/i18n/errors.ts';
import { isOnline } from '#/platform/online.ts';

/** Statuses with a temporary cause: an expired session, a slow or busy server, or a proxy whose host is down. */
const ABOUT_THIS_MOMENT = [401, 408, 425, 429, 502, 503, 504];

/** True if the same request may succeed later. @param status HTTP status of the response */
export const isRetryable = (status: number): boolean => ABOUT_THIS_MOMENT.includes(status);

/** True for an internal error of the server, which may be temporary or permanent. */
export const isServerFault = (status: number): boolean => status >= 500 && !isRetryable(status);

/** After this many internal server errors a queued command is rejected, so that the commands behind it can be sent. */
export const MAX_FAULTS = 5;

/** Pause before a retry, longer than a short gap in reception. */
const GAP_MS = 700;

/** Pauses of the queue while the device is online but the server does not respond. */
const PAUSES_MS = [1000, 3000, 10_000, 30_000, 60_000];

/** The pause before the next attempt. @param tried number of failed attempts */
export const pauseMs = (tried: number): number =>
  PAUSES_MS[Math.min(tried, PAUSES_MS.length - 1)] ?? 0;

/** The `retry` option of queries: one retry after any error, because queries have no side effects. */
export const retryQuery = (failures: number): boolean => isOnline() && failures < 1;

/**
 * Sends a command, and sends it once more if the response is missing. Only for commands with an idempotency key, because the
 * command may have been executed although the response was lost.
 */
export async function retryWithoutResponse<Response>(
  send: () => Promise<Response>,
  mayRetry: () => boolean = isOnline,
): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (!hasNoResponse(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    if (!mayRetry()) throw error;
    return send();
  }
}

/** The body of a rejection. */
export interface Rejection {
  code?: string;
  message?: string;
}

/**
 * True if the server considers the session's token expired, so the request is repeated once with a new one. REST responds with
 * status 401, storage with 400 and a message.
 */
export const isTokenExpired = (status: number, { code, message }: Rejection): boolean =>
  (status === 401 || status === 400) &&
  (code === 'PGRST303' || /jwt expired|"exp" claim/i.test(message ?? ''));
