// Bitmap tiles, which follow the map one task later than other layers.
import { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js';
import { deferHandlers } from '#/map/defer-handlers.ts';

export class Tiles extends TileLayer {
  /** @param url template with {z}, {x} and {y} */
  constructor(url: string, maxZoom: number) {
    super(url, {
      className: 'map-tiles',
      maxZoom,
      keepBuffer: 1,
      // OpenStreetMap requires a referrer, which the page's policy would not send.
      referrerPolicy: 'strict-origin-when-cross-origin',
    });
  }

  override getEvents() {
    return deferHandlers(this, super.getEvents?.() ?? {}, () => Boolean(this._map));
  }
}
