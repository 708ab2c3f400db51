// The automatic accessibility check: axe on what the page shows now, WCAG 2.2 AA.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Names of axe's rules, or of groups of them. */
const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * A pin of the map stands where its park is, so another pin or a button may cover part of it: WCAG 2.5.8 calls that
 * essential, and the list reaches the same parks. Told by the markup: the pin itself may be drawn anew meanwhile.
 */
const isCoveredPin = (ruleId: string, html: string): boolean =>
  ruleId === 'target-size' && html.includes('leaflet-');

/**
 * What axe finds, one line each, on the page or in the open dialog, behind which nothing can be reached; the page behind is looked
 * at without it. Asked twice where it finds something: an answer that arrives right then can be in the page before what follows
 * its size, such as the map's buttons above the card of a park, is drawn.
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
