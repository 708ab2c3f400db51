// How a badge writes counts: 99 as it is, 99+ above, no badge at 0.
import { expect, test } from 'vitest';
import { badgeText } from '#/ui/badge.tsx';

test('a count is written as it is up to 99, then 99+, and not at all at 0', () => {
  expect([0, 1, 99, 100, 1200].map(badgeText)).toEqual([null, '1', '99', '99+', '99+']);
});
