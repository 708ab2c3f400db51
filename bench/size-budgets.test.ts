// Tests the app's transfer size in every test run, because benchmarks run less often.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LAZY } from '../app/src/i18n/lazy-messages.ts';
import english from '../languages/en/app.json' with { type: 'json' };
import { appSizes, DIST } from './lib/app-sizes.ts';

test('the entry and every route stay within their size budgets', () => {
  const { entrySize, others } = appSizes();
  expect(entrySize).toBeGreaterThan(50);
  expect(entrySize).toBeLessThanOrEqual(115);
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter(({ own }) => own > 20)).toEqual([]);
});

test('a screen needs few files, because slow connections load six in parallel and each further six cost a round trip', () => {
  const { home, others } = appSizes();
  // If the number increases by one, a module that the home map shares with another screen is missing from HOME in
  // app/vite.config.ts.
  expect(home).toMatchObject({ scripts: 3 });
  expect(others.filter(({ scripts }) => scripts > 9)).toEqual([]);
});

test('the home map needs no lazily loaded message', () => {
  const scripts = appSizes().homeFiles.map((file) => readFileSync(path.join(DIST, file), 'utf8'));
  const shown = Object.keys(english).filter((key) =>
    scripts.some((script) => script.includes(`\`${key}\``) || script.includes(`"${key}"`)),
  );
  expect(shown.length).toBeGreaterThan(40);
  expect(shown.filter((key) => LAZY.test(key))).toEqual([]);
});
