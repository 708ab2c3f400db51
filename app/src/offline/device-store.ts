// The one place that opens this device's IndexedDB, for cached queries, lists and tiles and for the queue of commands.
import { clear, createStore, delMany, get, keys, set, update } from 'idb-keyval';

/** Opened at its first use. @param database one for each store: that is how idb-keyval makes them */
export function openStore<Value>(database: string, name: string) {
  const store = createStore(database, name);
  return {
    get: (key: string) => get<Value>(key, store),
    set: (key: string, value: Value) => set(key, value, store),
    delete: (...gone: string[]) => delMany(gone, store),
    keys: () => keys<string>(store),
    clear: () => clear(store),
    /** Changes a value in one transaction, whatever other tabs do meanwhile. */
    update: (key: string, change: (value: Value | undefined) => Value) =>
      update(key, change, store),
  };
}
