// The stack of open modal dialogs. Toasts are rendered inside the topmost one, because everything outside it is inert.
import { createStore, useStore } from '#/core/store.ts';

const open = createStore<readonly HTMLElement[]>([]);

/** @returns a function to call when the modal closes */
export function registerModal(element: HTMLElement): () => void {
  open.set([...open.get(), element]);
  return () => open.set(open.get().filter((other) => other !== element));
}

export const useTopModal = (): HTMLElement | null => useStore(open).at(-1) ?? null;

export const topModal = (): HTMLElement | null => open.get().at(-1) ?? null;
