// A value outside React: any code can read and set it, and subscribed components re-render.
import { useSyncExternalStore } from 'react';

export interface Store<T> {
  get: () => T;
  /** Replaces the value and notifies subscribers. Never mutate the value. */
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Create a store at the top of the module that owns it, and export only the functions that other modules need. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>({ subscribe, get }: Store<T>): T {
  // The server snapshot is used by unit tests that render without a browser.
  return useSyncExternalStore(subscribe, get, get);
}
