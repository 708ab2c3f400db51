// Gives the focus a place after its element has gone or the screen has changed: the next control of that part, else its heading.
import type { RegisteredRouter } from '@tanstack/react-router';
import { topLayer } from '#/ui/top-layer.ts';

interface Memory {
  element: Element;
  isVisible: boolean;
  /** Where it, or what held it, was taken out; null while it is there. */
  gap: { parent: Node; before: Node | null } | null;
}

/** What had the focus last in each modal, and in the page (null). */
const memories = new Map<Element | null, Memory>();

/** A screen that has come, and does not have the focus yet: on the way back, the address of the one that was left. */
let arrived: { from: string | null } | null = null;

const isNowhere = () => document.activeElement === null || document.activeElement === document.body;

/** The first control in a part that comes after one of its children. */
const controlAfter = (part: Element, child: Node | null): HTMLElement | undefined =>
  [
    ...part.querySelectorAll<HTMLElement>(
      'a[href], button:enabled, input:checked:enabled, [tabindex="0"]',
    ),
  ].find(
    (control) =>
      control.checkVisibility({ visibilityProperty: true }) &&
      (!child?.isConnected ||
        (!child.contains(control) &&
          (child.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) > 0)),
  );

function headingOf(part: Element | null): HTMLElement | null {
  for (let area = part; area; area = area.parentElement) {
    const heading =
      area.matches('section, article, dialog, main') && area.querySelector('h1, h2, h3');
    if (heading) return heading as HTMLElement;
  }
  return document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
}

function next({ parent, before }: NonNullable<Memory['gap']>): HTMLElement | null {
  if (!(parent instanceof Element)) return headingOf(null);
  let found = controlAfter(parent, before);
  for (
    let row = parent.closest('li');
    !found && row;
    row = row.parentElement?.closest('li') ?? null
  )
    found = row.parentElement ? controlAfter(row.parentElement, row) : undefined;
  return found ?? headingOf(parent);
}

function focus(element: HTMLElement | null, preventScroll: boolean): void {
  if (element?.matches('h1, h2, h3')) element.tabIndex = -1;
  element?.focus({ preventScroll });
}

function place(): void {
  if (arrived) return showScreen(arrived.from);
  const layer = topLayer();
  const memory = memories.get(layer);
  const target = memory?.gap && next(memory.gap);
  // Who taps does not see the focus: the page stays where it is.
  if (target && !target.matches('main')) focus(target, !memory.isVisible);
  // What came instead is still loading, or a modal that came with the screen has gone.
  else if (target || (!layer && !memory)) showScreen(null);
}

/** The link that led away from it, else its heading; while that is loading, the page itself. */
function showScreen(from: string | null): void {
  const main = document.getElementById('main');
  const link = from && main?.querySelector<HTMLElement>(`a[href="${CSS.escape(from)}"]`);
  const target = link || headingOf(main);
  focus(target, true);
  arrived = target === main ? { from } : null;
}

function follow(records: MutationRecord[]): void {
  for (const [layer, memory] of memories) {
    if (layer && !layer.isConnected) memories.delete(layer);
    if (memory.element.isConnected || memory.gap?.parent.isConnected) continue;
    for (const { removedNodes, target, previousSibling } of records) {
      const gone = memory.gap?.parent ?? memory.element;
      if ([...removedNodes].some((node) => node.contains(gone)))
        memory.gap = { parent: target, before: previousSibling };
    }
  }
}

/** Call once, at the first focus. */
export function keepFocus(router: RegisteredRouter): void {
  const remember = (element: EventTarget | null) => {
    if (!(element instanceof Element)) return;
    arrived = null;
    memories.set(element.closest('dialog'), {
      element,
      isVisible: element.matches(':focus-visible'),
      gap: null,
    });
  };
  document.addEventListener('focusin', ({ target }) => remember(target));
  // Pressed, and gone with its screen before this was loaded.
  if (isNowhere()) showScreen(null);
  else remember(document.activeElement);
  const look = () => {
    const isDue = isNowhere() || (arrived && document.activeElement?.matches('main'));
    // The end of a change of screens says where its focus goes.
    if (isDue && router.state.status === 'idle') place();
  };
  new MutationObserver((records) => {
    follow(records);
    // A part that moves the focus itself does so in the same task.
    if (isNowhere() || arrived) setTimeout(look);
  }).observe(document.body, { childList: true, subtree: true });

  let isBack = false;
  router.history.subscribe(({ action: { type } }) => (isBack = type === 'BACK'));
  router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || !fromLocation || topLayer()) return look();
    arrived = { from: isBack ? fromLocation.href : null };
    // What has it there is a tab, which keeps it, or of the screen that is still to go.
    if (!document.getElementById('main')?.contains(document.activeElement)) place();
  });
}
