// Drives the page by keyboard only: presses Tab until the target has focus, and checks each stop on the way.
import { expect, type Locator, type Page } from '@playwright/test';

export interface Keyboard {
  /** Tabs forward until the target has focus. */
  to(target: Locator): Promise<void>;
  press(target: Locator, key?: string): Promise<void>;
  /** Tabs to a field and replaces its value. */
  type(target: Locator, text: string): Promise<void>;
  /** Problems found: tab stops without a visible focus, and targets without an accessible name. */
  findings: string[];
  /** Waits until a screen reader would announce this role and name of the focused element, by the accessibility tree. */
  focuses(what: string): Promise<void>;
  /** Waits until a screen reader would announce this text of a live region. */
  announces(text: string | RegExp): Promise<void>;
}

/** The maximum number of tab stops. More would mean a keyboard trap, because the home map has about 30. */
const MAX_STOPS = 50;

export function keyboardOf(page: Page): Keyboard {
  const findings: string[] = [];
  const to = async (target: Locator) => {
    await expect(target).toBeVisible();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      let { found, isThere } = await target.evaluate(lookAtFocus);
      if (found) {
        // A sheet that still slides in covers its own controls.
        await page.evaluate(animationsEnd);
        ({ found, isThere } = await target.evaluate(lookAtFocus));
      }
      if (found && !findings.includes(found)) findings.push(found);
      if (isThere) {
        const focus = await spokenAt(page);
        if (/^\S+ ?$/.test(focus)) findings.push(`no name is announced at ${target}: ${focus}`);
        // Waits for the next frame, because a key pressed before the page has scrolled would lose its position. No user is that
        // fast.
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
    announces: (words) =>
      expect.poll(async () => (await spokenOn(page)).announced, String(words)).toMatch(words),
    async press(target, key = 'Enter') {
      await to(target);
      // A click waits, too: a busy button ignores keys.
      await expect(target).toBeEnabled();
      await page.keyboard.press(key);
    },
    async type(target, text) {
      await to(target);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
  };
}

/** The role and name of the focused element as a screen reader announces them. */
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

async function spokenOn(page: Page): Promise<{ focus: string; announced: string }> {
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
    announced: live.flatMap(({ nodeId }) => words(nodeId)).join(' '),
  };
}

/** Runs in the page. Waits for all animations that end, and for a frame after them. */
async function animationsEnd(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  await new Promise(requestAnimationFrame);
}

/** Runs in the page. Tests that the target has the focus, shows it and is not covered. */
function lookAtFocus(target: Element): { isThere: boolean; found: string | null } {
  const element = document.activeElement;
  const isThere = element === target;
  if (!element || element === document.body || element.matches('main, dialog, h1, h2'))
    return { isThere, found: null };
  const name = `${element.tagName.toLowerCase()} ${element.getAttribute('type') ?? ''} “${(element.getAttribute('aria-label') ?? element.textContent).slice(0, 40)}”`;
  // Radio buttons and checkboxes show focus on the label or the frame around them.
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
      // Ignores the popup after a command, because its backdrop is transparent and it disappears soon.
      const there = document
        .elementsFromPoint(left + width * x, top + height * y)
        .find((each) => !each.closest('[data-popup]'));
      return there !== undefined && (around.contains(there) || there.contains(element));
    }),
  );
  return { isThere, found: seen ? null : `covered while it has the focus: ${name}` };
}
