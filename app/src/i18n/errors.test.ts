// Message and status of every type of failure that the official client reports.
import { expect, test, vi } from 'vitest';
import { AppError } from '#/core/app-error.ts';
import { isNetworkFailure, hasNoResponse, toAppError, unwrap } from '#/i18n/errors.ts';

const seen = (thrown: unknown, texts = {}) => {
  const { key, status } = toAppError(thrown, texts);
  return [key, status];
};

test('wrapped errors have status 400 by default', () => {
  expect(new AppError('errors.generic').status).toBe(400);
  expect(seen(new AppError('errors.not_found', 404))).toEqual(['errors.not_found', 404]);
});

test('unknown errors are unexpected, with status 500', () => {
  for (const thrown of [new Error('boom'), 'boom', null, undefined, 7, { status: 500 }])
    expect(seen(thrown)).toEqual(['errors.unexpected', 500]);
});

test.each([
  [{ statusCode: '413', message: 'Payload too large' }, 'errors.image_too_large', 413],
  [{ message: 'x', context: new Response(null, { status: 413 }) }, 'errors.image_too_large', 413],
  // An RPC's specific code takes precedence over the general one.
  [{ code: 'P0001', message: 'already_friends' }, 'errors.generic', 400],
  [{ code: '42501', message: 'permission denied for table users' }, 'errors.access_denied', 403],
  [{ code: '42501', message: 'not_logged_in' }, 'errors.session_expired', 401],
  [{ code: '42501', message: 'second_factor_required' }, 'errors.second_factor_required', 403],
])('%j is %s with status %d', (thrown, key, status) => {
  expect(seen(thrown, { already_friends: 'errors.generic' })).toEqual([key, status]);
});

test('a request without a response means that the device is offline', () => {
  for (const message of [
    'TypeError: Failed to fetch',
    'Load failed',
    'NetworkError when…',
    'Failed to send a request to the Edge Function',
    'Request timed out',
  ])
    expect(seen({ message })).toEqual(['errors.offline', 503]);
  expect(isNetworkFailure({ status: 0, message: '' })).toBe(true);
  expect(isNetworkFailure({ status: 500, message: 'upstream fetch failed' })).toBe(false);
});

test('a missing app file is not reported as offline while the device is online', () => {
  const messages = [
    'Failed to fetch dynamically imported module: https://x/a.js',
    'error loading dynamically imported module: https://x/a.js',
    'Importing a module script failed.',
  ];
  for (const [isOnline, key] of [
    [true, 'errors.part_missing'],
    [false, 'errors.offline'],
  ] as const) {
    vi.stubGlobal('navigator', { onLine: isOnline });
    for (const message of messages) expect(seen(new TypeError(message))).toEqual([key, 503]);
  }
  vi.unstubAllGlobals();
});

test('a command may be retried only if there was no response', () => {
  expect(hasNoResponse(new AppError('errors.offline', 503))).toBe(true);
  expect(hasNoResponse({ status: 0, message: 'AbortError' })).toBe(true);
  for (const status of [400, 403, 409, 429, 500, 502])
    expect(hasNoResponse({ status })).toBe(false);
});

test("unwrap returns the data or throws with the response's status", () => {
  expect(unwrap({ data: [1], error: null })).toEqual([1]);
  expect(() =>
    unwrap({ data: null, error: { code: 'PGRST116', message: 'no rows' }, status: 403 }),
  ).toThrow('errors.access_denied (403)');
});
