// Bitmap tiles, which follow the map one task later than other layers.
import { EPSG3857 } from 'leaflet/src/geo/crs/CRS.EPSG3857.js';
import { LatLng } from 'leaflet/src/geo/LatLng.js';
import { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js';
import { preload } from 'react-dom';
import { deferHandlers } from '#/map/defer-handlers.ts';
import type { Camera } from '#/map/park-map.ts';

const TILE_SIZE = 256;
/** OpenStreetMap requires a referrer, which the page's policy would not send. */
const REFERRER_POLICY = 'strict-origin-when-cross-origin';

/**
 * Starts loading the central tile of a map that is not created yet, and its neighbour along the longer side of the window. All tiles
 * together take seconds on a slow connection and finish at the same time, so these two get a head start.
 * @param template with {z}, {x} and {y}; with other placeholders, nothing is loaded
 */
export function preloadCentralTiles(template: string, { center, zoom }: Camera): void {
  const pixel = EPSG3857.latLngToPoint(new LatLng(center.lat, center.long), zoom);
  const central = pixel.divideBy(TILE_SIZE).floor();
  const { x, y } = pixel.divideBy(TILE_SIZE).subtract(central).subtract([0.5, 0.5]);
  const isWide = innerWidth > innerHeight;
  const neighbour = central.add(isWide ? [Math.sign(x), 0] : [0, Math.sign(y)]);
  for (const tile of [central, neighbour]) {
    const values: Record<string, number> = { x: tile.x, y: tile.y, z: zoom };
    const url = template.replace(/\{([xyz])\}/g, (_, name: string) => String(values[name]));
    if (!url.includes('{'))
      preload(url, { as: 'image', fetchPriority: 'high', referrerPolicy: REFERRER_POLICY });
  }
}

export class Tiles extends TileLayer {
  /** @param url template with {z}, {x} and {y} */
  constructor(url: string, maxZoom: number) {
    super(url, {
      className: 'map-tiles',
      maxZoom,
      keepBuffer: 1,
      referrerPolicy: REFERRER_POLICY,
    });
  }

  override getEvents() {
    return deferHandlers(this, super.getEvents?.() ?? {}, () => Boolean(this._map));
  }
}
