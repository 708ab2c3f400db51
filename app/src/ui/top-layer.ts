// Which modal dialog is on top: toasts are shown inside it, for everything outside an open modal is inert.
import { createStore, useStore } from '#/core/store.ts';

const open = createStore<readonly HTMLElement[]>([]);

/** Registers an open modal; call the answer when it closes. */
export function enterTopLayer(element: HTMLElement): () => void {
  open.set([...open.get(), element]);
  return () => open.set(open.get().filter((other) => other !== element));
}

export const useTopLayer = (): HTMLElement | null => useStore(open).at(-1) ?? null;

/** The same, once. */
export const topLayer = (): HTMLElement | null => open.get().at(-1) ?? null;
