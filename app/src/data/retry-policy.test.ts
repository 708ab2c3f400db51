// Tests which responses lead to a retry.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '#/core/app-error.ts';
import { isRetryable, isServerFault, pauseMs, retryWithoutResponse } from '#/data/retry-policy.ts';

test.each([
  ['may succeed later', [401, 408, 429, 502, 503, 504], [true, false]],
  ['rejects the request', [400, 403, 404, 409, 413], [false, false]],
  ['may be permanent, so the queue goes on', [500], [false, true]],
])('a failed response %s: %j', (_, statuses, expected) => {
  for (const status of statuses)
    expect([isRetryable(status), isServerFault(status)]).toEqual(expected);
});

test('pauses grow to a minute and stay there', () => {
  const pauses = Array.from({ length: 8 }, (_, tried) => pauseMs(tried));
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses.at(-1)).toBe(60_000);
});

describe('a command', () => {
  const lost = new AppError('errors.offline', 503);
  const refused = new AppError('errors.access_denied', 403);
  afterEach(() => vi.useRealTimers());

  test.each([
    ['whose first answer was lost is sent once more', [lost, 'done'], true, 'done', 2],
    ['that is never answered is sent twice', [lost, lost], true, lost, 2],
    ['that is refused is sent once', [refused, 'done'], true, refused, 1],
    ['that may not be repeated is sent once', [lost, 'done'], false, lost, 1],
  ])('%s', async (_name, answers, mayRetry, result, sent) => {
    vi.useFakeTimers();
    const send = vi.fn<() => Promise<unknown>>();
    for (const answer of answers)
      send.mockImplementationOnce(() =>
        answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer),
      );
    const outcome = retryWithoutResponse(send, () => mayRetry).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await outcome).toBe(result);
    expect(send).toHaveBeenCalledTimes(sent);
  });
});
