// Measures and saves the areas of the offline map, and refreshes them when the site has a new map file.
import { mapDrawer, NotSavedError } from '#/map/vector/drawer.ts';
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

/** Saved areas and new ones, without those that lie within another. */
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

/** Bytes that some areas and the saved ones take together; null where it is more than the quota. @throws NotSavedError */
export const measureSurroundings = (map: SiteMap, areas: readonly Area[]) =>
  mapDrawer(map).measure(withSaved(areas));

/** Saves some areas besides those that are saved already. `told`: how much is done, from 0 to 1. Throws NotSavedError. */
export async function saveSurroundings(
  map: SiteMap,
  areas: readonly Area[],
  leavesWithLogout: boolean,
  told: (done: number) => void,
): Promise<void> {
  const all = withSaved(areas);
  // Asked for what the person wants: the browser then does not remove it by itself. If it declines, the map is saved nevertheless.
  await navigator.storage?.persist?.().catch(() => false);
  try {
    const bytes = await mapDrawer(map).save(all, told);
    const savedAt = Date.now();
    writeOfflineMap({ version: map.version, areas: all, bytes, savedAt, leavesWithLogout });
  } catch (error) {
    if (!readOfflineMap()) await deleteOfflineMap();
    throw error;
  }
}

/** Renews saved areas where the site's file is another one. What fails is tried again at the next start. */
export async function refreshOfflineMap(map: SiteMap): Promise<void> {
  const saved = readOfflineMap();
  if (!saved || saved.version === map.version) return;
  await whenOnline();
  try {
    const bytes = await mapDrawer(map).save(saved.areas, () => undefined);
    const still = readOfflineMap();
    if (still) writeOfflineMap({ ...still, version: map.version, bytes, savedAt: Date.now() });
    // Deleted meanwhile, as by a logout.
    else await deleteOfflineMap();
  } catch (error) {
    if (!(error instanceof NotSavedError)) throw error;
    console.warn('The offline map was not refreshed:', error.why);
  }
}
