// One value outside React: any code reads and sets it, and the components that show it render again.
import { useSyncExternalStore } from 'react';

export interface Store<T> {
  get: () => T;
  /** Replaces the value and tells everybody; a value is never changed in place. */
  set: (next: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/** Make it once, at the top of the file that owns the value, and export only what others may do with it. */
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
  // The last one is for unit tests, which render without a browser.
  return useSyncExternalStore(subscribe, get, get);
}
