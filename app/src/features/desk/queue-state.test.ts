// Tests the effect of each key on the desk's queue.
import { expect, test } from 'vitest';
import type { DeskItem } from '#/features/desk/queries/desk.ts';
import { commandOfKey, type QueueState, START } from '#/features/desk/queue-state.ts';

const item = { type: 'photo', id: '1', reasons: ['spam', 'fake'] } as DeskItem;

test.each<[string, QueueState['asking'], ReturnType<typeof commandOfKey>]>([
  ['KeyA', null, { type: 'decide', reason: null }],
  ['KeyR', null, { type: 'ask' }],
  ['KeyN', null, { type: 'skip' }],
  ['KeyU', null, { type: 'undo' }],
  ['Escape', null, null],
  ['Escape', 'reason', { type: 'close' }],
  ['Digit2', null, null],
  ['Digit2', 'reason', { type: 'decide', reason: 'fake' }],
  ['Digit3', 'reason', null],
  ['KeyX', 'reason', null],
])('%s while asking for %s', (code, asking, command) => {
  expect(commandOfKey(code, { ...START, item, asking })).toEqual(command);
});

test('keys have no effect without an item', () => {
  expect(commandOfKey('KeyA', { ...START, item: null })).toBeNull();
});
