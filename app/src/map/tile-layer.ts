// Bitmap tiles, which follow the map one task later than other layers.
import type { Coords, DoneCallback } from 'leaflet';
import { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js';
import { deferHandlers } from '#/map/defer-handlers.ts';
import { TILE_REFERRER_POLICY } from '#/map/first-tile.ts';

const TILE_SIZE = 256;
const CENTRAL_TILE_TIMEOUT_MS = 2000;

export class Tiles extends TileLayer {
  /** Functions that load the tiles which wait for the central one; null once it has loaded or failed, or after a timeout. */
  #waiting: (() => void)[] | null = [];

  /** @param url template with {z}, {x} and {y} */
  constructor(url: string, maxZoom: number) {
    super(url, {
      className: 'map-tiles',
      maxZoom,
      keepBuffer: 1,
      referrerPolicy: TILE_REFERRER_POLICY,
    });
    setTimeout(() => this.#loadWaiting(), CENTRAL_TILE_TIMEOUT_MS);
  }

  override getEvents() {
    return deferHandlers(this, super.getEvents?.() ?? {}, () => Boolean(this._map));
  }

  /**
   * Creates a tile. On a slow connection, tiles that load together also finish together, seconds later, so the other tiles wait for
   * the central one.
   */
  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const tile = document.createElement('img');
    tile.alt = '';
    tile.referrerPolicy = TILE_REFERRER_POLICY;
    tile.addEventListener('load', () => done(undefined, tile));
    tile.addEventListener('error', () => done(new Error('No tile'), tile));
    const url = this.getTileUrl(coords);
    const isCentral = () =>
      this._map.project(this._map.getCenter(), coords.z).divideBy(TILE_SIZE).floor().equals(coords);
    if (this.#waiting && !isCentral()) {
      this.#waiting.push(() => {
        if (tile.isConnected) this.show(tile, url);
      });
      return tile;
    }
    if (this.#waiting)
      for (const end of ['load', 'error']) tile.addEventListener(end, () => this.#loadWaiting());
    this.show(tile, url);
    return tile;
  }

  #loadWaiting(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const load of waiting) load();
  }

  protected show(tile: HTMLImageElement, url: string): void {
    tile.src = url;
  }
}
