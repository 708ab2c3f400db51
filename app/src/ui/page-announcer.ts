// What a screen reader hears after a navigation: the title of the new screen, never that of the first.
let said: string | null = null;
let first = true;
const listeners = new Set<() => void>();

/** The title to read aloud, null before the first navigation. */
export const getPageTitle = (): string | null => said;

export function subscribePageTitle(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function sayPageTitle(title: string): void {
  if (first) {
    // The browser reads the first title itself.
    first = false;
    return;
  }
  said = title;
  for (const listener of listeners) listener();
}
