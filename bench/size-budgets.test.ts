// The app's weight on a phone's line: what a change adds is noticed with the change, not at the next benchmark.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LATER } from '../app/src/i18n/later.ts';
import english from '../languages/en/app.json' with { type: 'json' };
import { appSizes, DIST } from './lib/app-sizes.ts';

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

test('the home map shows no text that comes later', () => {
  const scripts = appSizes().homeFiles.map((file) => readFileSync(path.join(DIST, file), 'utf8'));
  const shown = Object.keys(english).filter((key) =>
    scripts.some((script) => script.includes(`\`${key}\``) || script.includes(`"${key}"`)),
  );
  expect(shown.length).toBeGreaterThan(40);
  expect(shown.filter((key) => LATER.test(key))).toEqual([]);
});
