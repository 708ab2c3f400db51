// The automatic accessibility check: axe on the visible page, WCAG 2.2 AA.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** IDs of axe rules or tags. */
const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * A map pin is at its park, so another pin or a button may cover part of it. WCAG 2.5.8 exempts this as essential, and the list
 * reaches the same parks. Pins are detected by markup, because they may be rendered again during the check.
 */
const isCoveredPin = (ruleId: string, html: string): boolean =>
  ruleId === 'target-size' && html.includes('leaflet-');

/**
 * Violations found by axe, one line each, on the page or in the open dialog, which hides the page. Runs again after a finding,
 * because a response may arrive before elements that depend on its size have moved.
 */
export async function axeFindings(page: Page, runOnly = EVERYTHING): Promise<string[]> {
  const found = await runAxe(page, runOnly);
  if (found.length === 0) return found;
  const again = await runAxe(page, runOnly);
  return found.filter((finding) => again.includes(finding));
}

async function runAxe(page: Page, runOnly: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (options) => {
      const { axe } = window as unknown as {
        axe: { run(within: ParentNode, options: RunOptions): Promise<AxeResults> };
      };
      return axe.run([...document.querySelectorAll('dialog[open]')].at(-1) ?? document, options);
    },
    { runOnly, resultTypes: ['violations'] } satisfies RunOptions,
  );
  return violations.flatMap((rule) =>
    rule.nodes
      .filter((node) => !isCoveredPin(rule.id, node.html))
      .map((node) => `${rule.id}: ${node.failureSummary} — ${node.target.join(' ')}`),
  );
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
}
