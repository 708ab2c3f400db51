// The desk's queue: what each step leaves of its state, and what each key does.
import { describe, expect, test } from 'vitest';
import type { DeskItem } from '#/features/desk/queries/desk.ts';
import {
  commandOfKey,
  type QueueAction,
  queueReducer,
  type QueueState,
  START,
} from '#/features/desk/queue-state.ts';

const item = { kind: 'photo', id: '1', reasons: ['spam', 'fake'] } as DeskItem;

const after = (...actions: QueueAction[]) => actions.reduce(queueReducer, START);

describe('the state', () => {
  test('a new item closes what was asked about the one before, and keeps the decision to undo', () => {
    const state = after(
      { type: 'shown', item },
      { type: 'decided', decision: 'd' },
      { type: 'asked', about: 'reason' },
      { type: 'shown', item: null },
    );
    expect(state).toEqual({ ...START, item: null, last: 'd' });
  });

  test('a failure stays until the next try', () => {
    const failed = after({ type: 'started' }, { type: 'failed', error: 1 }, { type: 'finished' });
    expect(failed).toEqual({ ...START, failure: 1 });
    expect(queueReducer(failed, { type: 'started' })).toEqual({ ...START, busy: true });
  });

  test('a decision can be undone once', () => {
    expect(after({ type: 'decided', decision: 'd' }, { type: 'undone' })).toEqual(START);
  });
});

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

test('no key does anything without an item', () => {
  expect(commandOfKey('KeyA', { ...START, item: null })).toBeNull();
});
