// Hands on the keyboard only: Tab until something has the focus, with a look at each stop on the way.
import { expect, type Locator, type Page } from '@playwright/test';

export interface Keyboard {
  /** Tabs forward until it has the focus. */
  to(target: Locator): Promise<void>;
  press(target: Locator, key?: string): Promise<void>;
  /** Tabs into a field and writes over what is in it. */
  type(target: Locator, text: string): Promise<void>;
  /** Stops on the way where the focus could not be seen, and what is used though a screen reader has no name for it. */
  findings: string[];
  /** Waits until a screen reader says so, by the accessibility tree: of what has the focus, role and name. */
  focuses(what: string): Promise<void>;
  /** The same of the words of live regions. */
  says(words: string | RegExp): Promise<void>;
}

/** More would be a trap: the home map has about 30 in all. */
const MOST_STOPS = 50;

export function keyboardOf(page: Page): Keyboard {
  const findings: string[] = [];
  const to = async (target: Locator) => {
    await expect(target).toBeVisible();
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      const { found, isThere } = await target.evaluate(lookAtFocus);
      if (found && !findings.includes(found)) findings.push(found);
      if (isThere) {
        const focus = await spokenAt(page);
        if (/^\S+ ?$/.test(focus)) findings.push(`nothing is said at ${target}: ${focus}`);
        // A key that came before the page has drawn its scroll would leave a place that is not remembered; no finger is as quick.
        await page.evaluate(() => new Promise(requestAnimationFrame));
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`${target} cannot be reached by Tab`);
  };
  return {
    findings,
    to,
    focuses: (what) => expect.poll(async () => (await spokenOn(page)).focus, what).toBe(what),
    says: (words) =>
      expect.poll(async () => (await spokenOn(page)).said, String(words)).toMatch(words),
    async press(target, key = 'Enter') {
      await to(target);
      await page.keyboard.press(key);
    },
    async type(target, text) {
      await to(target);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
  };
}

/** What a screen reader says of what has the focus, role and name. */
async function spokenAt(page: Page): Promise<string> {
  const cdp = await page.context().newCDPSession(page);
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await cdp.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  });
  await cdp.detach();
  return `${nodes[0]?.role?.value} ${nodes[0]?.name?.value}`;
}

async function spokenOn(page: Page): Promise<{ focus: string; said: string }> {
  const cdp = await page.context().newCDPSession(page);
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  await cdp.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const words = (id: string): string[] => {
    const node = byId.get(id);
    return node?.role?.value === 'StaticText'
      ? [String(node.name?.value)]
      : (node?.childIds ?? []).flatMap(words);
  };
  const focus = nodes.findLast(({ properties }) =>
    properties?.some(({ name, value }) => name === 'focused' && value.value === true),
  );
  const live = nodes.filter(({ role }) => role?.value === 'status' || role?.value === 'alert');
  return {
    focus: `${focus?.role?.value} ${focus?.name?.value}`,
    said: live.flatMap(({ nodeId }) => words(nodeId)).join(' '),
  };
}

/** In the browser: whether the focus is on the target, and what is wrong with where it is: no sign of it, or something covers it. */
function lookAtFocus(target: Element): { isThere: boolean; found: string | null } {
  const element = document.activeElement;
  const isThere = element === target;
  if (!element || element === document.body || element.matches('main, dialog, h1, h2'))
    return { isThere, found: null };
  const name = `${element.tagName.toLowerCase()} ${element.getAttribute('type') ?? ''} “${(element.getAttribute('aria-label') ?? element.textContent).slice(0, 40)}”`;
  // Radios and boxes show it on the label or the frame around them.
  const shown = [element, element.parentElement, element.closest('label')].some((each) => {
    if (!each) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  });
  if (!shown) return { isThere, found: `no sign of the focus: ${name}` };
  const { left, top, width, height } = element.getBoundingClientRect();
  const around = element.closest('label') ?? element;
  const seen = [0.1, 0.5, 0.9].some((x) =>
    [0.1, 0.5, 0.9].some((y) => {
      // The ground of a pop-up is seen through, and goes by itself.
      const there = document
        .elementsFromPoint(left + width * x, top + height * y)
        .find((each) => !each.closest('[data-popup]'));
      return there !== undefined && (around.contains(there) || there.contains(element));
    }),
  );
  return { isThere, found: seen ? null : `covered while it has the focus: ${name}` };
}
