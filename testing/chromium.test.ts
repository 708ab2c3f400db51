// Tests that our list of disabled Chromium features contains all features that Playwright disables, because our list replaces
// Playwright's. A new version may add more.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CHROMIUM_ARGUMENTS } from './chromium.ts';

test("our list of features holds all of Playwright's", () => {
  const folder = path.dirname(
    createRequire(import.meta.url).resolve('playwright-core/package.json'),
  );
  const source = readFileSync(path.join(folder, 'lib/coreBundle.js'), 'utf8');
  const [, list = ''] = /\bdisabledFeatures = \[([^\]]*)\]/.exec(source) ?? [];
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  expect(theirs).toContain('PaintHolding');
  const ours = CHROMIUM_ARGUMENTS.find((argument) => argument.startsWith('--disable-features='));
  expect(ours?.split(/[=,]/)).toEqual(expect.arrayContaining(theirs));
});
