// History entries for sheets, dialogs and other overlays. Each open overlay has an entry in the tab's history, so 'back' closes the
// topmost one, also on the first page of a visit. A named overlay reopens after a reload and after navigating back to its page.
import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect } from 'react';
import { createStore, useStore } from '#/core/store.ts';

/** The open named overlays and their values. They are stored in the history, so values must be cloneable. */
export type NamedOverlays = Readonly<Record<string, unknown>>;

/** The state of a history entry: the router's key, and the properties that this module adds. */
interface EntryState {
  __TSR_key?: string;
  /** Number of overlays that are open at this entry. */
  overlays?: number;
  named?: NamedOverlays;
  /**
   * Identifies the page of this entry: the router's key when the page's first overlay opened. All entries of its overlays share it.
   */
  page?: string | undefined;
}

/** Maximum time to wait for a history traversal, which usually takes less. */
const TRAVERSAL_TIMEOUT_MS = 3000;

const named = createStore<NamedOverlays>({});
/** Close functions of mounted overlays, the topmost last. */
const mounted: (() => void)[] = [];
let page: string | undefined;
/** Callbacks for the end of the traversal that this module has started; null while there is none. */
let afterTraversal: (() => void)[] | null = null;

const currentState = () => (history.state ?? {}) as EntryState;
const entryCount = () => currentState().overlays ?? 0;
const pageOf = (state: EntryState) => state.page ?? state.__TSR_key;

/** Bypasses the router's versions of these methods, because opening an overlay must not navigate. */
function writeEntry(
  method: 'pushState' | 'replaceState',
  overlays: number,
  open = named.get(),
): void {
  const state = { ...history.state, overlays, named: open, page };
  History.prototype[method].call(history, state, '');
}

function traverse(delta: number, callback?: () => void): void {
  const callbacks = callback ? [callback] : [];
  afterTraversal = callbacks;
  history.go(delta);
  // If a browser restored the tab without the entries below, no popstate event arrives, so use a timeout.
  setTimeout(() => {
    if (afterTraversal !== callbacks) return;
    afterTraversal = null;
    writeEntry('replaceState', 0, {});
    for (const call of callbacks) call();
  }, TRAVERSAL_TIMEOUT_MS);
}

// Counts both, because a named overlay may not be mounted yet.
const openCount = () => Math.max(mounted.length, Object.keys(named.get()).length);

/** Pushes or pops history entries until there is one for each open overlay. */
function syncEntries(): void {
  if (afterTraversal) return;
  const open = openCount();
  if (open < entryCount()) return traverse(open - entryCount());
  if (open === 0) return;
  while (open > entryCount()) writeEntry('pushState', entryCount() + 1);
  writeEntry('replaceState', open);
}

// Runs after React has rendered, so that the history entry is reused if one overlay replaces another.
const scheduleSync = () => void setTimeout(syncEntries);

function onPopState(event: PopStateEvent, router: RouterHistory): void {
  const state = (event.state ?? {}) as EntryState;
  const callbacks = afterTraversal;
  afterTraversal = null;
  const isSamePage = pageOf(state) === page;
  page = pageOf(state);
  if (isSamePage) {
    // Stop the event, because only overlays have changed and the router must not navigate. The URL may have changed while the
    // overlay was open, so write the current one to this entry.
    event.stopImmediatePropagation();
    const { href, state: now } = router.location;
    if (now.__TSR_key !== state.__TSR_key) {
      const merged = { ...now, overlays: state.overlays, named: state.named, page };
      History.prototype.replaceState.call(history, merged, '', href);
    }
  }
  if (!callbacks || !isSamePage) {
    const closed = mounted.slice(state.overlays ?? 0);
    named.set(state.named ?? {});
    for (const close of closed.toReversed()) close();
  }
  for (const call of callbacks ?? []) call();
  scheduleSync();
}

/** The router's history. Navigating to another page removes the entries of overlays without a name. */
export function createOverlayHistory(): RouterHistory {
  // Registered before the router's own listener, so that it can stop the event.
  addEventListener('popstate', (event) => onPopState(event, router), { capture: true });
  const router = createBrowserHistory();
  const { push, replace } = router;
  const popEntries = (count: number, navigate: () => void) => {
    if (afterTraversal) afterTraversal.push(() => popEntries(count, navigate));
    else if (count > 0 && entryCount() > 0) traverse(-Math.min(count, entryCount()), navigate);
    else navigate();
  };
  const isCurrentPage = (path: string) =>
    new URL(path, location.origin).pathname === location.pathname;
  const startPage = () => {
    page = router.location.state.__TSR_key;
    named.set({});
  };
  router.push = (...to) =>
    popEntries(entryCount() - Object.keys(named.get()).length, () => {
      push(...to);
      startPage();
    });
  router.replace = (...to) => {
    const count = entryCount();
    if (count > 0 && isCurrentPage(to[0])) {
      replace(...to);
      // Write after the router, which writes the entry in a microtask.
      queueMicrotask(() => writeEntry('replaceState', count));
    } else
      popEntries(count, () => {
        replace(...to);
        startPage();
      });
  };
  router.back = () => history.go(-1 - entryCount());
  page = pageOf(currentState());
  named.set(currentState().named ?? {});
  scheduleSync();
  return router;
}

export const hasOpenOverlay = (): boolean => entryCount() > 0;

/** Adds an overlay on top of all others. @returns a function that removes it */
export function addOverlay(close: () => void): () => void {
  mounted.push(close);
  // Push its entry immediately. On a busy device, 'back' could otherwise come first, and would also close the overlay below.
  if (openCount() > entryCount()) syncEntries();
  return () => {
    mounted.splice(mounted.indexOf(close), 1);
    scheduleSync();
  };
}

/** An overlay that does not open again after a reload. @param isOpen false: 'back' navigates as usual */
export function useOverlay(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    return addOverlay(() => close());
  }, [isOpen]);
}

export const getNamedOverlays = (): NamedOverlays => named.get();

/** Opens or replaces named overlays. Null closes an overlay. */
export function setNamedOverlays(change: NamedOverlays): void {
  const open = Object.entries({ ...named.get(), ...change }).filter(([, value]) => value !== null);
  named.set(Object.fromEntries(open));
  scheduleSync();
}

/** Like `useState`, for a sheet that opens again after a reload. @param name unique on the screen */
export function useNamedOverlay<Value = true>(
  name: string,
): [Value | null, (value: Value | null) => void] {
  const value = (useStore(named)[name] ?? null) as Value | null;
  return [value, (next) => setNamedOverlays({ [name]: next })];
}
