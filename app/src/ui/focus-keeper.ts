// Restores the focus after the focused element was removed or the screen has changed: to the next control, or to the heading.
import type { RegisteredRouter } from '@tanstack/react-router';
import { topModal } from '#/ui/modals.ts';

interface LastFocus {
  element: Element;
  isVisible: boolean;
  /** The place from which the element or one of its ancestors was removed; null while it is in the document. */
  removedFrom: { parent: Node; before: Node | null } | null;
}

/** The last focused element in each modal, and in the page (null). */
const lastFocus = new Map<Element | null, LastFocus>();

/** A new screen that has not received the focus yet; `from` is the URL of the previous screen after navigating back. */
let newScreen: { from: string | null } | null = null;

const isFocusLost = () =>
  document.activeElement === null || document.activeElement === document.body;

const isShown = (element: Element) =>
  element.getClientRects().length > 0 && getComputedStyle(element).visibility === 'visible';

/** The first control in `part` after one of its children. */
const controlAfter = (part: Element, child: Node | null): HTMLElement | undefined =>
  [
    ...part.querySelectorAll<HTMLElement>(
      'a[href], button:enabled, input:checked:enabled, [tabindex="0"]',
    ),
  ].find(
    (control) =>
      isShown(control) &&
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

function controlNear({
  parent,
  before,
}: NonNullable<LastFocus['removedFrom']>): HTMLElement | null {
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

function restoreFocus(): void {
  if (newScreen) return focusScreen(newScreen.from);
  const modal = topModal();
  const last = lastFocus.get(modal);
  const target = last?.removedFrom && controlNear(last.removedFrom);
  // After a tap the focus is not visible, so focusing must not scroll the page.
  if (target && !target.matches('main')) focus(target, !last.isVisible);
  // No control can be focused: the new content is still loading, or a modal that opened with the screen has closed.
  else if (target || (!modal && !last)) focusScreen(null);
}

/** Focuses the link by which the user left the screen, otherwise the screen's heading; while it is loading, the main element. */
function focusScreen(from: string | null): void {
  const main = document.getElementById('main');
  const link = from && main?.querySelector<HTMLElement>(`a[href="${CSS.escape(from)}"]`);
  // The previous screen stays in the document, hidden, until the texts of the new one have loaded.
  const targets = [link || null, headingOf(main)];
  const target = targets.find((one) => one && isShown(one)) ?? main;
  focus(target, true);
  newScreen = target === main ? { from } : null;
}

/** Records where focused elements were removed. */
function recordRemovals(records: MutationRecord[]): void {
  for (const [modal, last] of lastFocus) {
    if (modal && !modal.isConnected) lastFocus.delete(modal);
    if (last.element.isConnected || last.removedFrom?.parent.isConnected) continue;
    for (const { removedNodes, target, previousSibling } of records) {
      const removed = last.removedFrom?.parent ?? last.element;
      if ([...removedNodes].some((node) => node.contains(removed)))
        last.removedFrom = { parent: target, before: previousSibling };
    }
  }
}

/** Call this once, at the first focus. */
export function keepFocus(router: RegisteredRouter): void {
  const remember = (element: EventTarget | null) => {
    if (!(element instanceof Element)) return;
    newScreen = null;
    lastFocus.set(element.closest('dialog'), {
      element,
      isVisible: element.matches(':focus-visible'),
      removedFrom: null,
    });
  };
  document.addEventListener('focusin', ({ target }) => remember(target));
  // If the focused element was removed before this module was loaded, focus the screen.
  if (isFocusLost()) focusScreen(null);
  else remember(document.activeElement);
  const restoreIfLost = () => {
    const isLost = isFocusLost() || (newScreen && document.activeElement?.matches('main'));
    // During a navigation, do nothing; the focus is set at its end.
    if (isLost && router.state.status === 'idle') restoreFocus();
  };
  new MutationObserver((records) => {
    recordRemovals(records);
    // Wait for the next task, because a component may move the focus in this one.
    if (isFocusLost() || newScreen) setTimeout(restoreIfLost);
  }).observe(document.body, { childList: true, subtree: true });

  let isBack = false;
  router.history.subscribe(({ action: { type } }) => (isBack = type === 'BACK'));
  router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
    if (!pathChanged || !fromLocation || topModal()) return restoreIfLost();
    newScreen = { from: isBack ? fromLocation.href : null };
    // Do nothing if the focus is in main: it is on a tab, which keeps it, or on the screen that is about to be removed.
    if (!document.getElementById('main')?.contains(document.activeElement)) restoreFocus();
  });
}
