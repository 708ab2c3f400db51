// The app's weight on a phone's line: what a change adds is noticed with the change, not at the next benchmark.
import { expect, test } from 'vitest';
import { appSizes } from './lib/app-sizes.ts';

test('the entry and every route stay within their bytes', () => {
  const { entrySize, others } = appSizes();
  expect(entrySize).toBeGreaterThan(50);
  expect(entrySize).toBeLessThanOrEqual(115);
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter(({ own }) => own > 20)).toEqual([]);
});

test('a screen needs few files: on a slow line six go at once, and each further six cost a round trip', () => {
  const { home, others } = appSizes();
  // One more: something that the home map shares with another screen is missing from HOME in app/vite.config.ts.
  expect(home).toMatchObject({ scripts: 3 });
  expect(others.filter(({ scripts }) => scripts > 9)).toEqual([]);
});
