// The automatic accessibility check: axe on what the page shows now, WCAG 2.2 AA.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * A pin of the map stands where its park is, so another pin or a button may cover part of it: WCAG 2.5.8 calls that
 * essential, and the list reaches the same parks.
 */
function isCoveredPin(ruleId: string, html: string): boolean {
  return ruleId === 'target-size' && html.includes('leaflet-');
}

/** Fails with axe's findings, one line each. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  const findings = results.violations.flatMap((rule) =>
    rule.nodes
      .filter((node) => !isCoveredPin(rule.id, node.html))
      .map((node) => `${rule.id}: ${rule.help} — ${node.target.join(' ')}`),
  );
  expect(findings).toEqual([]);
}
