// Which modal dialog is on top: toasts are shown inside it, for everything outside an open modal is inert.
import { useSyncExternalStore } from 'react';

let stack: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLElement[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

/** Registers an open modal; call the answer when it closes. */
export function enterTopLayer(element: HTMLElement): () => void {
  change([...stack, element]);
  return () => change(stack.filter((other) => other !== element));
}

/** The topmost open modal, or null when there is none. */
export const topLayer = (): HTMLElement | null => stack.at(-1) ?? null;

/** Renders again when another modal is topmost. */
export function useTopLayer(): HTMLElement | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, topLayer);
}
