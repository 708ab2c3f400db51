// Map tiles in the native apps: read from the cache on the device, otherwise fetched from the tile server.
import { indexedDbTiles } from '#/offline/tile-cache/indexeddb-tiles.ts';
import { cachedTile } from '#/offline/tile-cache/tile-cache.ts';
import { TILE_REFERRER_POLICY } from '#/map/first-tile.ts';
import { Tiles } from '#/map/tile-layer.ts';

export class CachedTiles extends Tiles {
  readonly #store = indexedDbTiles();

  protected override show(tile: HTMLImageElement, url: string): void {
    void this.#read(url).then(
      (picture) => {
        const address = URL.createObjectURL(picture);
        for (const end of ['load', 'error'])
          tile.addEventListener(end, () => URL.revokeObjectURL(address), { once: true });
        tile.src = address;
      },
      // Without CORS headers, the tile can be shown but not read, so it is loaded like any image.
      () => super.show(tile, url),
    );
  }

  #read(url: string): Promise<Blob> {
    const fetchTile = async () => {
      const response = await fetch(url, {
        credentials: 'omit',
        referrerPolicy: TILE_REFERRER_POLICY,
      });
      if (response.status !== 200)
        throw new Error(`The tile server responded with ${response.status}`);
      return response.blob();
    };
    return cachedTile(url, { store: this.#store, fetchTile, now: Date.now() });
  }
}
