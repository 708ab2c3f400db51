// For unit tests of what this device keeps: as much of IndexedDB as idb-keyval asks for, in memory, one store for each database.
import { vi } from 'vitest';

interface Request {
  result?: unknown;
  onsuccess?: () => void;
}

interface Transaction {
  error: DOMException | null;
  oncomplete?: () => void;
  onabort?: () => void;
}

interface IndexedDbOnNode {
  /** From now on so many writes fit on this device, and no more; deleting works always. */
  leaveRoomFor: (writes: number) => void;
  keys: (database: string) => IDBValidKey[];
  /** Puts a value there, as another version of the app in another tab would. */
  put: (database: string, key: string, value: unknown) => void;
}

/** Call it before the code under test is imported; `vi.unstubAllGlobals` takes it away. */
export function startIndexedDb(): IndexedDbOnNode {
  const databases = new Map<string, Map<IDBValidKey, unknown>>();
  let room = Infinity;

  const answered = (request: Request, result: () => unknown) => {
    // When it is asked and when it is answered are two moments, and others write between them.
    setTimeout(() => {
      request.result = result();
      request.onsuccess?.();
    });
    return request;
  };

  function transactionOf(rows: Map<IDBValidKey, unknown>) {
    const transaction: Transaction = { error: null };
    const before = new Map(rows);
    let open = 0;
    const end = () => {
      if (open > 0) return;
      if (!transaction.error) return transaction.oncomplete?.();
      // All of it or nothing.
      rows.clear();
      for (const [key, value] of before) rows.set(key, value);
      transaction.onabort?.();
    };
    const closeLater = () => {
      open += 1;
      setTimeout(() => {
        open -= 1;
        end();
      });
    };
    const write = (how: () => void) => {
      if (room > 0) how();
      else transaction.error = new DOMException('No room', 'QuotaExceededError');
      room = Math.max(0, room - 1);
      closeLater();
    };
    // Also one that asks for nothing comes to its end.
    setTimeout(end);
    return {
      objectStore: () => ({
        transaction,
        get: (key: IDBValidKey) => {
          const request = answered({}, () => structuredClone(rows.get(key)));
          // After the answer, which may ask for more.
          closeLater();
          return request;
        },
        put: (value: unknown, key: IDBValidKey) => {
          const copy = structuredClone(value);
          write(() => rows.set(key, copy));
        },
        delete: (key: IDBValidKey) => {
          rows.delete(key);
          closeLater();
        },
      }),
    };
  }

  const rowsOf = (name: string) => {
    const rows = databases.get(name) ?? new Map<IDBValidKey, unknown>();
    databases.set(name, rows);
    return rows;
  };
  vi.stubGlobal('indexedDB', {
    open(name: string) {
      const rows = rowsOf(name);
      return answered({}, () => ({ transaction: () => transactionOf(rows) }));
    },
  });
  return {
    leaveRoomFor: (writes) => {
      room = writes;
    },
    keys: (database) => [...rowsOf(database).keys()],
    put: (database, key, value) => void rowsOf(database).set(key, structuredClone(value)),
  };
}
