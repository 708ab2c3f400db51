// The one place that opens this device's IndexedDB, for cached queries, lists and tiles and for the queue of commands.
import { clear, createStore, delMany, get, keys, promisifyRequest, set } from 'idb-keyval';

export interface DeviceStore<Value> {
  get: (key: string) => Promise<Value | undefined>;
  set: (key: string, value: Value) => Promise<void>;
  delete: (...keys: string[]) => Promise<void>;
  keys: () => Promise<string[]>;
  /** Deletes everything in it. */
  clear: () => Promise<void>;
  /**
   * Changes the values of some keys in one transaction: all of it or nothing, whatever other tabs do meanwhile.
   * @param change from the values to the new ones, in the order of `keys`; undefined is none
   */
  update: (
    keys: readonly string[],
    change: (values: (Value | undefined)[]) => (Value | undefined)[],
  ) => Promise<void>;
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
    update: (keys, change) =>
      store('readwrite', (values) => {
        const found: (Value | undefined)[] = [];
        keys.forEach((key, index) => {
          const request = values.get(key) as IDBRequest<Value | undefined>;
          request.onsuccess = () => {
            found[index] = request.result;
            // Requests are answered in their order: this is the last one.
            if (index < keys.length - 1) return;
            change(found).forEach((value, at) => {
              const changed = keys[at] ?? '';
              if (value === undefined) values.delete(changed);
              else values.put(value, changed);
            });
          };
        });
        return promisifyRequest(values.transaction);
      }),
  };
}
