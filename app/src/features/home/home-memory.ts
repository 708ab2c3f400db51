// Remembers where the map was left in each entry of the history, for going back: a new visit begins where the product says.
import type { Camera } from '#/map/park-map.ts';

/** Entries at most; the oldest go first. */
const MOST = 50;

const cameras = new Map<string, Camera>();

/** Null on a new visit. @param entry the key of an entry of the history */
export const rememberedCamera = (entry: string): Camera | null => cameras.get(entry) ?? null;

/** Call it after each movement, and when the entry changes under the map. */
export function rememberCamera(entry: string, seen: Camera): void {
  cameras.delete(entry);
  cameras.set(entry, seen);
  const [oldest] = cameras.keys();
  if (cameras.size > MOST && oldest !== undefined) cameras.delete(oldest);
}
