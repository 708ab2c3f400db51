// Short messages that disappear after a few seconds. The store is outside React, so that any code can show one.
import { createStore, useStore } from '#/core/store.ts';
import { errorText } from '#/i18n/errors.ts';

export interface Toast {
  id: number | string;
  text: string;
  type: 'info' | 'success' | 'error';
  /** An action such as undo. A toast with an action stays until it is closed, unless `lasts` is set. */
  action?: { label: string; onSelect: () => void };
  /** Duration in milliseconds; null if the toast stays until the user closes it. */
  lasts: number | null;
  /** True if the action works only for that time, so that reading the toast must not prolong it. */
  expires: boolean;
}

const MAX_AT_ONCE = 3;
const SHOWN_MS = 4000;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

export const useToasts = (): readonly Toast[] => useStore(toasts);

export function hideToast(id: Toast['id']): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** Removes all toasts, because they belong to the user who has logged out. */
export const clearToasts = (): void => toasts.set([]);

/**
 * Replaces a toast with the same text or ID.
 * @param options.id set it if other code has to hide the toast
 * @returns the ID, for `hideToast`
 */
export function showToast(
  text: string,
  {
    id = (lastId += 1),
    type = 'info',
    action,
    lasts = action ? null : SHOWN_MS,
    expires = false,
  }: Partial<Omit<Toast, 'text'>> = {},
): Toast['id'] {
  const toast: Toast = { id, text, type, lasts, expires, ...(action && { action }) };
  const others = toasts.get().filter((other) => other.text !== text && other.id !== id);
  toasts.set([...others, toast].slice(-MAX_AT_ONCE));
  return id;
}

export const showError = (thrown: unknown) => showToast(errorText(thrown), { type: 'error' });

export const showSuccess = (text: string) => showToast(text, { type: 'success' });

export const showProblem = (text: string) => showToast(text, { type: 'error' });
