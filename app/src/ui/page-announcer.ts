// What a screen reader hears after a navigation: the title of the new screen, never that of the first.
import { createStore, useStore } from '#/core/store.ts';

const said = createStore<string | null>(null);
let first = true;

/** The title to read aloud, null before the first navigation. */
export const useSaidTitle = (): string | null => useStore(said);

/** Call it with each new title; the first one of a page is not said again. */
export function sayPageTitle(title: string): void {
  if (first) {
    // The browser reads the first title itself.
    first = false;
    return;
  }
  said.set(title);
}
