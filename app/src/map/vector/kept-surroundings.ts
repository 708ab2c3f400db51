// The surroundings that a person saves of the site's own map: measured, saved, renewed when the file is another one.
import { mapDrawer, NotKeptError } from '#/map/vector/drawer.ts';
import { deleteKeptMap, readKeptMap, writeKeptMap, type Area } from '#/offline/kept-map.ts';
import type { Config } from '#/platform/config-type.ts';
import { whenOnline } from '#/platform/online.ts';

type SiteMap = NonNullable<Config['map']>;

const contains = (outer: Area, inner: Area): boolean =>
  outer.west <= inner.west &&
  outer.east >= inner.east &&
  outer.south <= inner.south &&
  outer.north >= inner.north;

/** Saved areas and new ones, without those that lie within another. */
function withKept(areas: readonly Area[]): Area[] {
  const all = [...(readKeptMap()?.areas ?? []), ...areas];
  return all.filter(
    (area, at) =>
      !all.some(
        (other, place) =>
          place !== at && contains(other, area) && (place < at || !contains(area, other)),
      ),
  );
}

/** Bytes that some areas and the saved ones take together; null where it is more than the quota. @throws NotKeptError */
export const measureSurroundings = (map: SiteMap, areas: readonly Area[]) =>
  mapDrawer(map).measure(withKept(areas));

/** Saves some areas besides those that are saved already. `told`: how much is done, from 0 to 1. Throws NotKeptError. */
export async function keepSurroundings(
  map: SiteMap,
  areas: readonly Area[],
  leavesWithLogout: boolean,
  told: (done: number) => void,
): Promise<void> {
  const all = withKept(areas);
  // Asked for what the person wants: the browser then does not remove it by itself. A no is no reason to keep nothing.
  await navigator.storage?.persist?.().catch(() => false);
  try {
    const bytes = await mapDrawer(map).keep(all, told);
    const keptAt = Date.now();
    writeKeptMap({ version: map.version, areas: all, bytes, keptAt, leavesWithLogout });
  } catch (error) {
    if (!readKeptMap()) await deleteKeptMap();
    throw error;
  }
}

/** Renews saved areas where the site's file is another one. What fails is tried again at the next start. */
export async function renewKeptMap(map: SiteMap): Promise<void> {
  const kept = readKeptMap();
  if (!kept || kept.version === map.version) return;
  await whenOnline();
  try {
    const bytes = await mapDrawer(map).keep(kept.areas, () => undefined);
    const still = readKeptMap();
    if (still) writeKeptMap({ ...still, version: map.version, bytes, keptAt: Date.now() });
    // Deleted meanwhile, as by a logout.
    else await deleteKeptMap();
  } catch (error) {
    if (!(error instanceof NotKeptError)) throw error;
    console.warn('The kept map stays as it is:', error.why);
  }
}
