// Tests the three variants of the error screen.
import { expect, test } from 'vitest';
import { errorView } from '#/features/shell/error-variant.ts';
import { AppError } from '#/core/app-error.ts';

const OFFLINE = ['offline', 'shell.error.offline'];
const denied = (status: number) => new AppError('errors.access_denied', status);

test.each([
  ['an unknown error', new Error('render'), ['generic', 'errors.generic']],
  ["a loader's 503", new AppError('errors.offline', 503), OFFLINE],
  ['a request without a response', new TypeError('Failed to fetch'), OFFLINE],
  ['a 404', new AppError('errors.not_found', 404), ['notFound', 'errors.not_found']],
  ['a 404 with its own message', denied(404), ['notFound', 'errors.access_denied']],
  ['any other error with its message', denied(403), ['generic', 'errors.access_denied']],
])('%s', (_what, thrown, view) => {
  const { variant, message } = errorView(thrown, true);
  expect([variant, message]).toEqual(view);
});

test('an unknown error without a network shows the offline variant', () => {
  const { variant, message } = errorView(new Error('render'), false);
  expect([variant, message]).toEqual(OFFLINE);
});
