// For mutations with an idempotency key: no answer may mean that it was done, so the same request is sent again.
import { isUnanswered } from '#/i18n/errors.ts';

const MOST_RETRIES = 2;

/** Option `retry` of a mutation whose variables carry their key; never for one without. */
export const retryLostAnswer = (failures: number, error: Error): boolean =>
  navigator.onLine && failures < MOST_RETRIES && isUnanswered(error);
