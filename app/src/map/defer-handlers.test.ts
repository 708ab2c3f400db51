// What a tile layer does after a jump of the map: later, in order, once, and not at all when it is gone.
import type { LeafletEvent } from 'leaflet';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deferHandlers } from './defer-handlers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const event = (type: string) => ({ type }) as LeafletEvent;

function layer() {
  const done: string[] = [];
  const state = { live: true, done };
  const reset = ({ type }: LeafletEvent) => void done.push(`reset by ${type}`);
  const handlers = deferHandlers(
    state,
    {
      viewprereset: () => void done.push('invalidate'),
      viewreset: reset,
      zoom: reset,
      zoomanim: () => void done.push('animate'),
    },
    () => state.live,
  );
  return { ...state, state, fire: (type: string) => handlers[type]?.(event(type)) };
}

test('a jump is followed in the next task, in order, and its two resets are one', () => {
  const { done, fire } = layer();
  for (const type of ['viewprereset', 'viewreset', 'zoom']) fire(type);
  expect(done).toEqual([]);
  vi.runAllTimers();
  expect(done).toEqual(['invalidate', 'reset by zoom']);
});

test('an animation begins at once', () => {
  const { done, fire } = layer();
  fire('zoomanim');
  expect(done).toEqual(['animate']);
});

test('a layer that was taken off its map meanwhile does nothing', () => {
  const { done, fire, state } = layer();
  fire('viewreset');
  state.live = false;
  vi.runAllTimers();
  expect(done).toEqual([]);
});
