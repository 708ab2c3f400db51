// The one place that opens this device's IndexedDB, for cached queries, lists and tiles and for the queue of commands.
import { clear, createStore, delMany, get, keys, set, update } from 'idb-keyval';

export interface DeviceStore<Value> {
  get: (key: string) => Promise<Value | undefined>;
  set: (key: string, value: Value) => Promise<void>;
  delete: (...keys: string[]) => Promise<void>;
  keys: () => Promise<string[]>;
  clear: () => Promise<void>;
  /** Changes a value in one transaction, whatever other tabs do meanwhile. */
  update: (key: string, change: (value: Value | undefined) => Value) => Promise<void>;
}

/** Opened at its first use. @param database one for each store: that is how idb-keyval makes them */
export function openStore<Value>(database: string, name: string): DeviceStore<Value> {
  const store = createStore(database, name);
  return {
    get: (key) => get<Value>(key, store),
    set: (key, value) => set(key, value, store),
    delete: (...keys) => delMany(keys, store),
    keys: () => keys<string>(store),
    clear: () => clear(store),
    update: (key, change) => update(key, change, store),
  };
}
