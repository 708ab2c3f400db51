// The automatic accessibility check: axe on what the page shows now, WCAG 2.2 AA.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails with axe's findings, one line each. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  const findings = results.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${rule.help} — ${node.target.join(' ')}`),
  );
  expect(findings).toEqual([]);
}
