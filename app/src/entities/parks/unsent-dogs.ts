// The user's dogs that the server's count of a park does not include yet, because commands are unsent; negative after a check-out.
import { createStore } from '#/core/store.ts';

export const unsentDogs = createStore<Record<number, number>>({});
