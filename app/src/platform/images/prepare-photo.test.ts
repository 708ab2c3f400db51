// Tests that only a file that the browser cannot decode is reported as unreadable.
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#/core/app-error.ts';
import { preparePhoto } from '#/platform/images/prepare-photo.ts';

afterEach(() => vi.unstubAllGlobals());

const failureOf = (decode: () => Promise<unknown>, name = 'rex.jpg'): Promise<unknown> => {
  vi.stubGlobal('createImageBitmap', decode);
  return preparePhoto(new File(['x'], name)).catch((error: unknown) => error);
};

test('reports a file that is not an image', async () => {
  const failure = await failureOf(() => Promise.reject(new DOMException('', 'InvalidStateError')));
  expect(failure).toBeInstanceOf(AppError);
  expect(failure).toMatchObject({ key: 'ui.photo.unreadable', status: 415 });
});

test('does not report an image that cannot be drawn as unreadable', async () => {
  vi.stubGlobal('OffscreenCanvas', function () {
    throw new RangeError('Out of memory');
  });
  const failure = await failureOf(() =>
    Promise.resolve({ width: 8, height: 8, close: () => undefined }),
  );
  expect(failure).toBeInstanceOf(RangeError);
});

test('reports a HEIC photo, so that the user can choose another format', async () => {
  const broken = () => Promise.reject(new DOMException('', 'InvalidStateError'));
  expect(await failureOf(broken, 'IMG_1.HEIC')).toMatchObject({
    key: 'ui.photo.heic',
    status: 415,
  });
});
