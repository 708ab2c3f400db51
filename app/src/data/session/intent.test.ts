// A visitor's intent is stored for an hour; after a lost session, only for its user.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveIntent, readIntent } from '#/data/session/intent.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a visitor's intent is stored for an hour", () => {
  saveIntent('/parks/1', { report: 'terms' });
  vi.advanceTimersByTime(60 * 60_000);
  expect(readIntent('dana')).toMatchObject({ href: '/parks/1', opens: { report: 'terms' } });
  vi.advanceTimersByTime(1);
  expect(readIntent('dana')).toBeNull();
});

test('the intent of a lost session is not shown to another user', () => {
  saveIntent('/profile/dana', {}, 'dana');
  expect(readIntent('omer')).toBeNull();
  expect(readIntent('dana')).toMatchObject({ href: '/profile/dana' });
});
