// Short messages that come and go; a store outside React, so that any code can speak.
export type ToastKind = 'info' | 'success' | 'error';

export interface Toast {
  id: number;
  text: string;
  kind: ToastKind;
  action?: { label: string; onSelect: () => void };
}

interface ToastOptions {
  kind?: ToastKind;
  /** One thing to do about it, such as undo; the toast then stays longer. */
  action?: { label: string; onSelect: () => void };
  /** For what must not be missed: it stays until the person closes it. */
  stays?: boolean;
}

const SHOWN_MS = 4000;
const SHOWN_WITH_ACTION_MS = 8000;
const MOST_AT_ONCE = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const getToasts = (): readonly Toast[] => toasts;

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hideToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/**
 * Shows a translated text for a few seconds, or until it is closed. The same text again renews the one on the screen.
 * @returns the toast's id, for `hideToast`
 */
export function showToast(
  text: string,
  { kind = 'info', action, stays = false }: ToastOptions = {},
): number {
  lastId += 1;
  const id = lastId;
  const toast: Toast = { id, text, kind, ...(action && { action }) };
  change([...toasts.filter((other) => other.text !== text), toast].slice(-MOST_AT_ONCE));
  if (!stays) setTimeout(() => hideToast(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
  return id;
}
