// The tiles of the map, which follow it a task later than everything else.
import { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js';
import { deferHandlers } from '#/map/defer-handlers.ts';

export class Tiles extends TileLayer {
  /** @param url a template with {z}, {x} and {y} */
  constructor(url: string, maxZoom: number) {
    super(url, {
      className: 'map-tiles',
      maxZoom,
      keepBuffer: 1,
      // OpenStreetMap wants to know which site asks; our page's own policy is stricter.
      referrerPolicy: 'strict-origin-when-cross-origin',
    });
  }

  override getEvents() {
    return deferHandlers(this, super.getEvents?.() ?? {}, () => Boolean(this._map));
  }
}
