// Chooses between fresh tiles, cached tiles, and older ones when offline.
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { openStore } from '#/offline/device-store.ts';
import { indexedDbTiles } from '#/offline/tile-cache/indexeddb-tiles.ts';
import { MAX_TILES, TILE_FRESH_MS, TILE_MAX_AGE_MS } from '#/offline/cache-limits.ts';
import { type CachedTile, cachedTile, type TileStore } from '#/offline/tile-cache/tile-cache.ts';

const URL_OF_TILE = 'https://tile.example/16/1/2.png';
const AT = Date.parse('2026-11-21T12:00:00Z');

function cachedSince(text: string | null): TileStore & { tiles: Map<string, { at: number }> } {
  const tiles = new Map<string, CachedTile>();
  if (text !== null)
    tiles.set(URL_OF_TILE, {
      at: AT,
      buffer: new TextEncoder().encode(text).buffer,
      type: 'image/png',
    });
  return {
    tiles,
    get: (url) => Promise.resolve(tiles.get(url)),
    put: (url, tile) => Promise.resolve(void tiles.set(url, tile)),
  };
}

const network = () => Promise.resolve(new Blob(['new'], { type: 'image/png' }));
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));
const show = async (store: TileStore, fetchTile: () => Promise<Blob>, age: number) =>
  (await cachedTile(URL_OF_TILE, { store, fetchTile, now: AT + age })).text();

test('a fresh tile comes from the cache without a request', async () => {
  expect(await show(cachedSince('old'), noNetwork, TILE_FRESH_MS - 1)).toBe('old');
});

test('an older tile is fetched again and cached', async () => {
  const store = cachedSince('old');
  expect(await show(store, network, TILE_FRESH_MS)).toBe('new');
  expect(store.tiles.get(URL_OF_TILE)?.at).toBe(AT + TILE_FRESH_MS);
});

test('when offline, an older tile is shown, up to a month', async () => {
  expect(await show(cachedSince('old'), noNetwork, TILE_MAX_AGE_MS - 1)).toBe('old');
  await expect(show(cachedSince('old'), noNetwork, TILE_MAX_AGE_MS)).rejects.toThrow(
    'Failed to fetch',
  );
  await expect(show(cachedSince(null), noNetwork, 0)).rejects.toThrow('Failed to fetch');
});

test('a tile is shown even if the disk is full or storage is forbidden', async () => {
  const broken: TileStore = {
    get: () => Promise.reject(new Error('No disk')),
    put: () => Promise.reject(new Error('No room')),
  };
  expect(await show(broken, network, 0)).toBe('new');
});

test('the newest four hundred tiles are kept', async () => {
  expect(MAX_TILES).toBe(400);
  const tiles = indexedDbTiles();
  const tile = { at: AT, buffer: new ArrayBuffer(1), type: 'image/png' };
  for (let x = 0; x <= MAX_TILES; x += 1) await tiles.put(`${URL_OF_TILE}?${x}`, tile);
  const kept = await openStore('packpark-tiles', 'tiles').keys();
  expect([kept.length, kept[0]]).toEqual([MAX_TILES, `${URL_OF_TILE}?1`]);
});
