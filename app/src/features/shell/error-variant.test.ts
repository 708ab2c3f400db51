// The three faces of the error screen.
import { expect, test } from 'vitest';
import { errorFace } from '#/features/shell/error-variant.ts';
import { AppError } from '#/core/app-error.ts';

const face = (thrown: unknown, online = true) => {
  const { variant, message } = errorFace(thrown, online);
  return [variant, message];
};

test('an unknown failure is generic, and offline when there is no network', () => {
  expect(face(new Error('render'))).toEqual(['generic', 'errors.generic']);
  expect(face(new Error('render'), false)).toEqual(['offline', 'shell.error.offline']);
});

test("a loader's 503 and a request that got no answer are offline", () => {
  expect(face(new AppError('errors.offline', 503))).toEqual(['offline', 'shell.error.offline']);
  expect(face(new TypeError('Failed to fetch'))).toEqual(['offline', 'shell.error.offline']);
});

test('a 404 is not found, with its own message where it has one', () => {
  expect(face(new AppError('errors.not_found', 404))).toEqual(['notFound', 'errors.not_found']);
  expect(face(new AppError('errors.access_denied', 404))).toEqual([
    'notFound',
    'errors.access_denied',
  ]);
});

test('other errors show their message', () => {
  expect(face(new AppError('errors.access_denied', 403))).toEqual([
    'generic',
    'errors.access_denied',
  ]);
});
