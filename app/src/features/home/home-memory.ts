// Saves the map's position for each history entry, so that the back button restores it. A new visit starts at the default position.
import type { Camera } from '#/map/park-map.ts';

/** Maximum number of saved entries. The oldest are removed first. */
const MAX_ENTRIES = 50;

const cameras = new Map<string, Camera>();

/** Returns null if the history entry is new. @param entry its key */
export const rememberedCamera = (entry: string): Camera | null => cameras.get(entry) ?? null;

/** Call it after each map movement and when the history entry changes. */
export function rememberCamera(entry: string, seen: Camera): void {
  cameras.delete(entry);
  cameras.set(entry, seen);
  const [oldest] = cameras.keys();
  if (cameras.size > MAX_ENTRIES && oldest !== undefined) cameras.delete(oldest);
}
