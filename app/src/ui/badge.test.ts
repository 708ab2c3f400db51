// Badges show up to 99 as a number, then 99+, and nothing for 0.
import { expect, test } from 'vitest';
import { badgeText } from '#/ui/badge.tsx';

test('a count is shown as a number up to 99, then as 99+, and not at all for 0', () => {
  expect([0, 1, 99, 100, 1200].map(badgeText)).toEqual([null, '1', '99', '99+', '99+']);
});
