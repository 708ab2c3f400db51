// Which answers are worth another try, and which are not.
import { describe, expect, test } from 'vitest';
import { isRetryable, isServerFault, pauseMs } from '#/data/retry-policy.ts';

describe('an answer that is no success', () => {
  test.each([401, 408, 429, 502, 503, 504])('%i is about this moment', (status) => {
    expect([isRetryable(status), isServerFault(status)]).toEqual([true, false]);
  });

  test.each([400, 403, 404, 409, 413])('%i is a refusal, which the person is told', (status) => {
    expect([isRetryable(status), isServerFault(status)]).toEqual([false, false]);
  });

  test('500 may be for ever, and must not hold up what comes behind', () => {
    expect([isRetryable(500), isServerFault(500)]).toEqual([false, true]);
  });
});

test('pauses grow to a minute and stay there', () => {
  const pauses = Array.from({ length: 8 }, (_, tried) => pauseMs(tried));
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses.at(-1)).toBe(60_000);
});
