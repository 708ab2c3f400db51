// A chosen photo: only a file that the browser cannot read is called unreadable.
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#/core/app-error.ts';
import { preparePhoto } from '#/entities/photos/prepare-photo.ts';

afterEach(() => vi.unstubAllGlobals());

const failureOf = (decode: () => Promise<unknown>): Promise<unknown> => {
  vi.stubGlobal('createImageBitmap', decode);
  return preparePhoto(new File(['x'], 'rex.jpg')).catch((error: unknown) => error);
};

test('a file that is no picture says so', async () => {
  const failure = await failureOf(() => Promise.reject(new DOMException('', 'InvalidStateError')));
  expect(failure).toBeInstanceOf(AppError);
  expect(failure).toMatchObject({ key: 'ui.photo.unreadable', status: 415 });
});

test('a picture that cannot be drawn is not called unreadable', async () => {
  vi.stubGlobal('OffscreenCanvas', function () {
    throw new RangeError('Out of memory');
  });
  const failure = await failureOf(() =>
    Promise.resolve({ width: 8, height: 8, close: () => undefined }),
  );
  expect(failure).toBeInstanceOf(RangeError);
});
