// For unit tests of what this device keeps: IndexedDB in memory, whose disk can be full.
import 'fake-indexeddb/auto';
import { vi } from 'vitest';

/** From now on so many writes fit on this device, and no more, until the mock is restored; deleting works always. */
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
