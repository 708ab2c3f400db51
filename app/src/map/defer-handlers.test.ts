// Handlers run after a map jump: deferred, in order, once, and not after the layer was removed.
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

test('handlers run in the next task and in order, and two resets are combined', () => {
  const { done, fire } = layer();
  for (const type of ['viewprereset', 'viewreset', 'zoom']) fire(type);
  expect(done).toEqual([]);
  vi.runAllTimers();
  expect(done).toEqual(['invalidate', 'reset by zoom']);
});

test('zoom animations start immediately', () => {
  const { done, fire } = layer();
  fire('zoomanim');
  expect(done).toEqual(['animate']);
});

test('handlers do not run if the layer was removed in the meantime', () => {
  const { done, fire, state } = layer();
  fire('viewreset');
  state.live = false;
  vi.runAllTimers();
  expect(done).toEqual([]);
});
