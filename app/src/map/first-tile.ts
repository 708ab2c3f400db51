// Preloads the central tile of the home map, before the map's code has loaded.
import { preload } from 'react-dom';
import type { LatLong } from '#/core/distance.ts';
import { HOME_ZOOM } from '#/core/place.ts';

/** OpenStreetMap requires a referrer, which the page's policy would not send. */
export const TILE_REFERRER_POLICY = 'strict-origin-when-cross-origin';

let isPreloaded = false;

/**
 * Starts loading the tile that contains a place at HOME_ZOOM. Only the first call has an effect, because the code of later maps has
 * loaded.
 * @param template with {z}, {x} and {y}; with other placeholders, nothing is loaded
 */
export function preloadFirstTile(template: string, { lat, long }: LatLong): void {
  if (isPreloaded) return;
  isPreloaded = true;
  const tiles = 2 ** HOME_ZOOM;
  // Web Mercator, as in https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames.
  const north = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  const values: Record<string, number> = {
    z: HOME_ZOOM,
    x: Math.floor((tiles * (long + 180)) / 360),
    y: Math.floor((tiles * (1 - north)) / 2),
  };
  const url = template.replace(/\{([xyz])\}/g, (_, name: string) => String(values[name]));
  if (!url.includes('{'))
    preload(url, { as: 'image', fetchPriority: 'high', referrerPolicy: TILE_REFERRER_POLICY });
}
