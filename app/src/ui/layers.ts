// Sheets, dialogs and other layers over a screen are entries of the tab's history: back closes the one on top, also on the first
// page of a visit. Those with a name are open again after a reload, and where somebody comes back to their page.
import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { createStore, useStore } from '#/core/store.ts';

/** What is open by its name, and what it is about; it lies in the history, so only what can be cloned. */
export type NamedLayers = Readonly<Record<string, unknown>>;

/** What we write beside the router's own words into an entry of the history. */
interface EntryState {
  __TSR_key?: string;
  layers?: number;
  named?: NamedLayers;
  /** The same in all entries of one page with its layers: the router's key of the page when the first was opened. */
  stack?: string | undefined;
}

const named = createStore<NamedLayers>({});
/** Closes each layer that is mounted, the last one on top. */
const mounted: (() => void)[] = [];
let stack: string | undefined;
/** Set while we walk through the history ourselves: what has to wait for the arrival. */
let walking: (() => void)[] | null = null;
/** By then a browser has arrived. */
const LATEST_MS = 3000;

const entry = () => (history.state ?? {}) as EntryState;
const depth = () => entry().layers ?? 0;
const stackOf = (state: EntryState) => state.stack ?? state.__TSR_key;

/** The router has its own versions of both methods, which tell it of a navigation; this is none. */
function write(method: 'pushState' | 'replaceState', layers: number, open: NamedLayers): void {
  History.prototype[method].call(history, { ...history.state, layers, named: open, stack }, '');
}

function walk(delta: number, then?: () => void): void {
  const mine = then ? [then] : [];
  walking = mine;
  history.go(delta);
  // A tab that was brought back may have lost the entries below.
  setTimeout(() => {
    if (walking !== mine) return;
    walking = null;
    write('replaceState', 0, {});
    for (const go of mine) go();
  }, LATEST_MS);
}

/** Brings the history to what is open: an entry for each layer, none for those that closed. */
function settle(): void {
  if (walking) return;
  const open = named.get();
  // A sheet with a name may still be on its way to the screen.
  const wanted = Math.max(mounted.length, Object.keys(open).length);
  if (wanted < depth()) return walk(wanted - depth());
  if (wanted === 0) return;
  while (wanted > depth()) write('pushState', depth() + 1, open);
  write('replaceState', wanted, open);
}

// After React: of two layers that change places, the history keeps the one entry.
const settleSoon = () => void setTimeout(settle);

function arrive(event: PopStateEvent, router: RouterHistory): void {
  const state = (event.state ?? {}) as EntryState;
  const own = walking;
  walking = null;
  const isSamePage = stackOf(state) === stack;
  stack = stackOf(state);
  if (isSamePage) {
    // No navigation; but the page may have changed its address while a layer was open.
    event.stopImmediatePropagation();
    const { href, state: now } = router.location;
    if (now.__TSR_key !== state.__TSR_key) {
      const kept = { ...now, layers: state.layers, named: state.named, stack };
      History.prototype.replaceState.call(history, kept, '', href);
    }
  }
  if (!own || !isSamePage) {
    const left = mounted.slice(state.layers ?? 0);
    named.set(state.named ?? {});
    for (const close of left.toReversed()) close();
  }
  for (const go of own ?? []) go();
  settleSoon();
}

/** The history for the router: who goes to another page leaves no entries of layers without a name behind. */
export function layeredHistory(): RouterHistory {
  // Before the router's own listener, which then does not hear of what is no navigation.
  addEventListener('popstate', (event) => arrive(event, router), { capture: true });
  const router = createBrowserHistory();
  const { push, replace } = router;
  const leave = (layers: number, go: () => void) => {
    if (walking) walking.push(() => leave(layers, go));
    else if (layers > 0 && depth() > 0) walk(-Math.min(layers, depth()), go);
    else go();
  };
  const isHere = (path: string) => new URL(path, location.origin).pathname === location.pathname;
  const atNewPage = () => {
    stack = router.location.state.__TSR_key;
    named.set({});
  };
  router.push = (...to) =>
    leave(depth() - Object.keys(named.get()).length, () => {
      push(...to);
      atNewPage();
    });
  router.replace = (...to) => {
    const layers = depth();
    if (layers > 0 && isHere(to[0])) {
      replace(...to);
      // The router writes it in a microtask of its own.
      queueMicrotask(() => write('replaceState', layers, named.get()));
    } else
      leave(layers, () => {
        replace(...to);
        atNewPage();
      });
  };
  router.back = () => history.go(-1 - depth());
  stack = stackOf(entry());
  named.set(entry().named ?? {});
  settleSoon();
  return router;
}

export const isLayered = (): boolean => depth() > 0;

/** A layer that is not there again after a reload. @param isOpen false: back leads where it always does */
export function useLayer(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const layer = () => close();
    mounted.push(layer);
    settleSoon();
    return () => {
      mounted.splice(mounted.indexOf(layer), 1);
      settleSoon();
    };
  }, [isOpen]);
}

export const namedLayers = (): NamedLayers => named.get();

export function openNamed(change: NamedLayers): void {
  const open = Object.entries({ ...named.get(), ...change }).filter(([, value]) => value !== null);
  named.set(Object.fromEntries(open));
  settleSoon();
}

/** Like `useState`, for a sheet that is to be open again after a reload. `name`: one of its own on the screen. */
export function useNamedLayer<Value = true>(
  name: string,
): [Value | null, (value: Value | null) => void] {
  const value = (useStore(named)[name] ?? null) as Value | null;
  return [value, (next) => openNamed({ [name]: next })];
}
