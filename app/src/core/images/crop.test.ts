// Cropping: aspect ratio, edges and zoom.
import { expect, test } from 'vitest';
import { areaOf, moveCrop, WHOLE } from '#/core/images/crop.ts';

const FRAME = 4 / 3;

test('the initial crop of wide and tall images is centred and as large as possible', () => {
  expect(areaOf(WHOLE, 2, FRAME)).toEqual({
    left: expect.closeTo(1 / 6) as number,
    top: 0,
    width: expect.closeTo(2 / 3) as number,
    height: 1,
  });
  expect(areaOf(WHOLE, 2 / 3, FRAME)).toEqual({ left: 0, top: 0.25, width: 1, height: 0.5 });
});

test('the crop stays inside the image when moved or zoomed', () => {
  const area = areaOf({ x: 0, y: 3, zoom: 99 }, FRAME, FRAME);
  expect(area).toEqual({ left: 0, top: 0.75, width: 0.25, height: 0.25 });
  const moved = moveCrop({ x: 0, y: 3, zoom: 99 }, area, { x: -1, y: 1 });
  expect(areaOf(moved, FRAME, FRAME)).toEqual(area);
  expect(moveCrop(moved, area, { x: 1, y: -1 })).toMatchObject({ x: 0.375, y: 0.625 });
});
