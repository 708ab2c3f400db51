// Hours of shade as a level.
import { expect, it } from 'vitest';
import { shadeWord } from '#/features/park-lists/shade-word.ts';

it.each([
  [0, 'none'],
  [1.5, 'little'],
  [4, 'some'],
  [6.5, 'most'],
  [11, 'all'],
])('%s hours of shade: %s', (hours, word) => {
  expect(shadeWord(hours)).toBe(word);
});
