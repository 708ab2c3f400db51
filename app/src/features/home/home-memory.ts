// Remembers the home map's camera while the page is open, so that the map is where it was left.
import type { Camera } from '#/map/park-map.ts';

let camera: Camera | null = null;

/** Null on the first visit of a page. */
export const rememberedCamera = (): Camera | null => camera;

/** Call it after each movement. */
export function rememberCamera(seen: Camera): void {
  camera = seen;
}
