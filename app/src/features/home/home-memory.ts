// What the home map remembers while the page lives: where it was looked at, so that coming back is coming back.
import type { Camera } from '#/map/park-map.ts';

let camera: Camera | null = null;

/** Null on the first visit of a page. */
export const rememberedCamera = (): Camera | null => camera;

/** Call it after each movement. */
export function rememberCamera(seen: Camera): void {
  camera = seen;
}
