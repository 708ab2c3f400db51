// Short messages that disappear by themselves; a store outside React, so that any code can show one.
import { createStore, useStore } from '#/core/store.ts';
import { errorText } from '#/i18n/errors.ts';

export interface Toast {
  id: number;
  text: string;
  kind: 'info' | 'success' | 'error';
  /** One thing to do about it, such as undo; the toast then stays. */
  action?: { label: string; onSelect: () => void };
  /** Milliseconds; null for what must not be missed: it stays until the person closes it. */
  lasts: number | null;
  /** Its action works only while it lasts, so that who reads it cannot keep it. */
  expires: boolean;
}

const MOST_AT_ONCE = 3;
const SHOWN_MS = 4000;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

export const useToasts = (): readonly Toast[] => useStore(toasts);

export function hideToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** With an action until it is closed. The same text again renews the one on the screen. @returns its id, for `hideToast` */
export function showToast(
  text: string,
  {
    kind = 'info',
    action,
    lasts = action ? null : SHOWN_MS,
    expires = false,
  }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): number {
  lastId += 1;
  const id = lastId;
  const toast: Toast = { id, text, kind, lasts, expires, ...(action && { action }) };
  const others = toasts.get().filter((other) => other.text !== text);
  toasts.set([...others, toast].slice(-MOST_AT_ONCE));
  return id;
}

export const showError = (thrown: unknown): number =>
  showToast(errorText(thrown), { kind: 'error' });

export const showSuccess = (text: string): number => showToast(text, { kind: 'success' });

export const showProblem = (text: string): number => showToast(text, { kind: 'error' });
