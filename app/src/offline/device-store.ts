// The only module that opens IndexedDB, for cached queries, lists and tiles and for the command queue.
import { clear, createStore, delMany, get, keys, set, update } from 'idb-keyval';

/** Opened on first use. @param database a separate one for each store, as idb-keyval requires */
export function openStore<Value>(database: string, name: string) {
  const store = createStore(database, name);
  return {
    get: (key: string) => get<Value>(key, store),
    set: (key: string, value: Value) => set(key, value, store),
    delete: (...gone: string[]) => delMany(gone, store),
    keys: () => keys<string>(store),
    clear: () => clear(store),
    /** Changes a value in one transaction, safe against other tabs. */
    update: (key: string, change: (value: Value | undefined) => Value) =>
      update(key, change, store),
  };
}
