// The notification pop-up: a modal with a success or error icon that closes by itself; a store outside React.
export interface Popup {
  id: number;
  kind: 'success' | 'error';
  /** Translated; without it the friendly 'good boy'. */
  text: string | null;
}

export const POPUP_MS = 2000;

let popup: Popup | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: Popup | null): void {
  popup = next;
  for (const listener of listeners) listener();
}

export const getPopup = (): Popup | null => popup;

export function subscribePopup(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hidePopup(): void {
  change(null);
}

/** Shows the pop-up for 2000 ms; a new one replaces the one on the screen. */
export function showPopup({
  kind = 'success',
  text,
}: { kind?: Popup['kind']; text?: string } = {}): void {
  lastId += 1;
  const id = lastId;
  change({ id, kind, text: text ?? null });
  setTimeout(() => {
    if (popup?.id === id) hidePopup();
  }, POPUP_MS);
}
