// The notification pop-up: a modal with a success or error icon that closes automatically. The store is outside React.
import type { ReactNode } from 'react';
import { createStore, useStore } from '#/core/store.ts';

export interface Popup {
  id: number;
  type: 'success' | 'error';
  /** Translated; null for the default text 'good boy'. */
  text: string | null;
  picture?: ReactNode;
}

const POPUP_MS = 2000;

const popup = createStore<Popup | null>(null);
let lastId = 0;

export const usePopup = (): Popup | null => useStore(popup);

export function hidePopup(): void {
  popup.set(null);
}

/** Shows the pop-up for 2000 ms; a new one replaces the current one. */
export function showPopup({
  type = 'success',
  text,
  picture,
}: { type?: Popup['type']; text?: string; picture?: ReactNode } = {}): void {
  lastId += 1;
  const id = lastId;
  popup.set({ id, type, text: text ?? null, picture });
  setTimeout(() => {
    if (popup.get()?.id === id) hidePopup();
  }, POPUP_MS);
}
