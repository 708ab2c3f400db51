// By park id: how many more of one's own dogs are there than the server knows, by what waits on this device.
import { createStore } from '#/core/store.ts';

export const ownDogs = createStore<Record<number, number>>({});
