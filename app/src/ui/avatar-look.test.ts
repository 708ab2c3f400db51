// Names as people have them: three scripts, emoji, spaces.
import { expect, test } from 'vitest';
import { toneOf } from '#/ui/avatar-look.ts';

test('a name keeps its tone', () => {
  expect(toneOf('Dana')).toBe(toneOf('Dana'));
  for (const name of ['', 'Dana', 'נועה', '👩‍🦰']) expect([0, 1, 2, 3]).toContain(toneOf(name));
});
