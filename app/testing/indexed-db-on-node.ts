// In-memory IndexedDB for unit tests; its disk can be full.
import 'fake-indexeddb/auto';
import { vi } from 'vitest';

/** The next `writes` writes succeed, all later ones fail until mocks are restored. Deleting always works. */
export function leaveRoomFor(writes: number) {
  let room = writes;
  const { put } = IDBObjectStore.prototype;
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    value,
    key,
  ) {
    const request = put.call(this, value, key);
    room -= 1;
    if (room < 0) {
      this.transaction.abort();
      Object.assign(this.transaction, { error: new DOMException('No room', 'QuotaExceededError') });
    }
    return request;
  });
}
