// Which tile a shell shows: its own while that is fresh, and without a network an older one.
import { expect, test } from 'vitest';
import { FRESH_MS, OLDEST_MS, tilePicture, type TileStore } from '#/offline/tile-cache.ts';

const URL_OF_TILE = 'https://tile.example/16/1/2.png';
const AT = Date.parse('2026-11-21T12:00:00Z');

function keptSince(text: string | null): TileStore & { held: Map<string, { at: number }> } {
  type Kept = NonNullable<Awaited<ReturnType<TileStore['get']>>>;
  const held = new Map<string, Kept>();
  if (text !== null)
    held.set(URL_OF_TILE, {
      at: AT,
      buffer: new TextEncoder().encode(text).buffer,
      type: 'image/png',
    });
  return {
    held,
    get: (url) => Promise.resolve(held.get(url)),
    put: (url, tile) => Promise.resolve(void held.set(url, tile)),
  };
}

const network = () => Promise.resolve(new Blob(['new'], { type: 'image/png' }));
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));
const show = async (store: TileStore, fetchTile: () => Promise<Blob>, age: number) =>
  (await tilePicture(URL_OF_TILE, { store, fetchTile, now: AT + age })).text();

test('a fresh tile comes from the device, and nobody is asked', async () => {
  expect(await show(keptSince('old'), noNetwork, FRESH_MS - 1)).toBe('old');
});

test('an older one is fetched anew and kept', async () => {
  const store = keptSince('old');
  expect(await show(store, network, FRESH_MS)).toBe('new');
  expect(store.held.get(URL_OF_TILE)?.at).toBe(AT + FRESH_MS);
});

test('without a network an older one is better than none, up to a month', async () => {
  expect(await show(keptSince('old'), noNetwork, OLDEST_MS - 1)).toBe('old');
  await expect(show(keptSince('old'), noNetwork, OLDEST_MS)).rejects.toThrow('Failed to fetch');
  await expect(show(keptSince(null), noNetwork, 0)).rejects.toThrow('Failed to fetch');
});

test('a full or forbidden disk is no reason to show no tile', async () => {
  const broken: TileStore = {
    get: () => Promise.reject(new Error('No disk')),
    put: () => Promise.reject(new Error('No room')),
  };
  expect(await show(broken, network, 0)).toBe('new');
});
