// Map tiles in the native apps: read from the cache on the device, otherwise fetched from the tile server.
import type { Coords, DoneCallback } from 'leaflet';
import { indexedDbTiles } from '#/offline/tile-cache/indexeddb-tiles.ts';
import { cachedTile } from '#/offline/tile-cache/tile-cache.ts';
import { Tiles } from '#/map/tile-layer.ts';

export class CachedTiles extends Tiles {
  readonly #store = indexedDbTiles();

  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const tile = document.createElement('img');
    tile.alt = '';
    tile.referrerPolicy = 'strict-origin-when-cross-origin';
    tile.addEventListener('load', () => done(undefined, tile));
    tile.addEventListener('error', () => done(new Error('No tile'), tile));
    void this.#show(tile, this.getTileUrl(coords));
    return tile;
  }

  async #show(tile: HTMLImageElement, url: string): Promise<void> {
    const fetchTile = async () => {
      const answer = await fetch(url, {
        credentials: 'omit',
        referrerPolicy: 'strict-origin-when-cross-origin',
      });
      if (answer.status !== 200) throw new Error(`The tile's server answers ${answer.status}`);
      return answer.blob();
    };
    try {
      const picture = await cachedTile(url, { store: this.#store, fetchTile, now: Date.now() });
      const address = URL.createObjectURL(picture);
      for (const end of ['load', 'error'])
        tile.addEventListener(end, () => URL.revokeObjectURL(address), { once: true });
      tile.src = address;
    } catch {
      // Without CORS headers, the tile can be shown but not read, so it is loaded like any image.
      tile.src = url;
    }
  }
}
