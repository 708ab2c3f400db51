// Names as people have them: three scripts, emoji, spaces.
import { expect, test } from 'vitest';
import { initialOf, toneOf } from '#/ui/avatar-look.ts';

test('the initial is the first whole character', () => {
  expect(initialOf('dana')).toBe('D');
  expect(initialOf('  נועה')).toBe('נ');
  expect(initialOf('ليلى')).toBe('ل');
  expect(initialOf('👩‍🦰 Ruth')).toBe('👩‍🦰');
  expect(initialOf('   ')).toBe('');
});

test('a name keeps its tone', () => {
  expect(toneOf('Dana')).toBe(toneOf('Dana'));
  for (const name of ['', 'Dana', 'נועה', '👩‍🦰']) expect([0, 1, 2, 3]).toContain(toneOf(name));
});
