// The site's own vector map, ready to be added below the markers. Loaded only if a site has one.
import { mapRenderer } from '#/map/vector/renderer.ts';
import { refreshOfflineMap } from '#/map/vector/offline-surroundings.ts';
import { VectorTiles } from '#/map/vector/vector-tiles.ts';
import type { Config } from '#/platform/config-type.ts';

/** Saved areas are refreshed after this time, because the map must load first. */
const REFRESH_AFTER_MS = 5000;

let refreshTimer: ReturnType<typeof setTimeout> | null = null;

export function vectorMap(own: NonNullable<Config['map']>, maxZoom: number) {
  const renderer = mapRenderer(own);
  // Started once per page load.
  refreshTimer ??= setTimeout(() => void refreshOfflineMap(own), REFRESH_AFTER_MS);
  return { layer: new VectorTiles(renderer, maxZoom), followLanguage: renderer.followLanguage };
}
