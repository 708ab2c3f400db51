// Measures and saves the areas of the offline map, and refreshes them when the site has a new map file.
import { mapRenderer, NotSavedError } from '#/map/vector/renderer.ts';
import {
  deleteOfflineMap,
  readOfflineMap,
  writeOfflineMap,
  type Area,
} from '#/map/vector/offline-map.ts';
import type { Config } from '#/platform/config-type.ts';
import { whenOnline } from '#/platform/online.ts';

type SiteMap = NonNullable<Config['map']>;

const contains = (outer: Area, inner: Area): boolean =>
  outer.west <= inner.west &&
  outer.east >= inner.east &&
  outer.south <= inner.south &&
  outer.north >= inner.north;

/** Saved and new areas, without those that are inside another. */
function withSaved(areas: readonly Area[]): Area[] {
  const all = [...(readOfflineMap()?.areas ?? []), ...areas];
  return all.filter(
    (area, at) =>
      !all.some(
        (other, place) =>
          place !== at && contains(other, area) && (place < at || !contains(area, other)),
      ),
  );
}

/** Bytes of the given and the saved areas together; null if above the quota. @throws NotSavedError */
export const measureSurroundings = (map: SiteMap, areas: readonly Area[]) =>
  mapRenderer(map).measure(withSaved(areas));

/** Saves areas in addition to those already saved. @param onProgress receives 0 to 1 @throws NotSavedError */
export async function saveSurroundings(
  map: SiteMap,
  areas: readonly Area[],
  leavesWithLogout: boolean,
  onProgress: (done: number) => void,
): Promise<void> {
  const all = withSaved(areas);
  // Request persistent storage, so the browser does not evict the map. If it declines, save the map anyway.
  await navigator.storage?.persist?.().catch(() => false);
  try {
    const bytes = await mapRenderer(map).save(all, onProgress);
    const savedAt = Date.now();
    writeOfflineMap({ version: map.version, areas: all, bytes, savedAt, leavesWithLogout });
  } catch (error) {
    if (!readOfflineMap()) await deleteOfflineMap();
    throw error;
  }
}

/** Downloads saved areas again if the site has a new map file. Failures are retried at the next start. */
export async function refreshOfflineMap(map: SiteMap): Promise<void> {
  const saved = readOfflineMap();
  if (!saved || saved.version === map.version) return;
  await whenOnline();
  try {
    const bytes = await mapRenderer(map).save(saved.areas, () => undefined);
    const still = readOfflineMap();
    if (still) writeOfflineMap({ ...still, version: map.version, bytes, savedAt: Date.now() });
    // The offline map was deleted in the meantime, for example by a logout, so delete the new tiles.
    else await deleteOfflineMap();
  } catch (error) {
    if (!(error instanceof NotSavedError)) throw error;
    console.warn('The offline map was not refreshed:', error.why);
  }
}
