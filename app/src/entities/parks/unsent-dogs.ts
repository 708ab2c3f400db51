// By park ID: how many more of the user's own dogs are there than the server knows, because of unsent commands.
import { createStore } from '#/core/store.ts';

export const unsentDogs = createStore<Record<number, number>>({});
