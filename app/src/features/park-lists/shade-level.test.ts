// Tests the level for hours of shade.
import { expect, it } from 'vitest';
import { shadeLevel } from '#/features/park-lists/shade-level.ts';

it.each([
  [0, 'none'],
  [1.5, 'little'],
  [4, 'some'],
  [6.5, 'most'],
  [11, 'all'],
])('%s hours of shade: %s', (hours, level) => {
  expect(shadeLevel(hours)).toBe(level);
});
