// When a request is sent again, how often, and after which pause: for queries, commands, the queue and renewed sessions.
import { isUnanswered } from '#/i18n/errors.ts';
import { isOnline } from '#/platform/online.ts';

/** An answer about this moment and not about the request: an old session, a slow or busy server, or none behind its proxy. */
const ABOUT_THIS_MOMENT = [401, 408, 425, 429, 502, 503, 504];

/** Whether the same request may succeed later, by the HTTP status of its answer. */
export const isRetryable = (status: number): boolean => ABOUT_THIS_MOMENT.includes(status);

/** Whether the server stumbled: that may pass, or stay for ever. */
export const isServerFault = (status: number): boolean => status >= 500 && !isRetryable(status);

/** After so many answers that are the server's own fault, a queued command no longer blocks those behind it. */
export const MOST_FAULTS = 5;

/** Long enough for a short gap in the reception to pass. */
const GAP_MS = 700;

/** Pauses of the queue while the device believes that it has a network and nothing answers. */
const PAUSES_MS = [1000, 3000, 10_000, 30_000, 60_000];

/** How long to wait before the next try. @param tried how often it failed before, from 0 */
export const pauseMs = (tried: number): number =>
  PAUSES_MS[Math.min(tried, PAUSES_MS.length - 1)] ?? 0;

/** Option `retry` of queries, once and whatever went wrong: asking twice changes nothing. */
export const retryQuery = (failures: number): boolean => isOnline() && failures < 1;

/**
 * Sends a command, and sends it once more when nothing answers. Only for commands with an idempotency key: a lost answer may
 * mean that the command was done.
 */
export async function retryUnanswered<Answer>(
  send: () => Promise<Answer>,
  mayRetry: () => boolean = isOnline,
): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
    if (!mayRetry()) throw error;
    return send();
  }
}

/** What a refusal says of itself. */
export interface Refusal {
  code?: string;
  message?: string;
}

/**
 * Whether the server calls the session's token old, so that the request is repeated once with a new one. REST says it with
 * status 401, storage with 400 and a text.
 */
export const saysExpired = (status: number, { code, message }: Refusal): boolean =>
  (status === 401 || status === 400) &&
  (code === 'PGRST303' || /jwt expired|"exp" claim/i.test(message ?? ''));
