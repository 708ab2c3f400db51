// The site's own map, ready to be laid under the markers. Loaded only where a site has one.
import { mapDrawer } from '#/map/vector/drawer.ts';
import { refreshOfflineMap } from '#/map/vector/offline-surroundings.ts';
import { VectorTiles } from '#/map/vector/vector-tiles.ts';
import type { Config } from '#/platform/config-type.ts';

/** After the map: saved areas can wait. */
const RENEW_AFTER_MS = 5000;

let renewal: ReturnType<typeof setTimeout> | null = null;

/** @param own the site's map, as its configuration says */
export function drawnMap(own: NonNullable<Config['map']>, maxZoom: number) {
  const drawer = mapDrawer(own);
  // Once in the life of the page.
  renewal ??= setTimeout(() => void refreshOfflineMap(own), RENEW_AFTER_MS);
  return { layer: new VectorTiles(drawer, maxZoom), followLanguage: drawer.followLanguage };
}
