// Clusters points for each zoom level, on typed arrays. Each level merges items of the next higher zoom that are close together.

/** Above this zoom, parks are far enough apart to be tapped, so they are not clustered. */
export const LAST_CLUSTER_ZOOM = 17;

/** Cluster radius in Leaflet pixels (256 per tile). */
const RADIUS = 80;
const TILE = 256;
/** Cluster IDs contain the zoom, which is less than this. */
const ZOOMS = 32;

/** The items of one zoom level: clusters and single points. */
export interface Level {
  /** Web Mercator coordinates from 0 to 1. */
  x: Float64Array;
  y: Float64Array;
  /** Number of points in each item. */
  counts: Int32Array;
  /** The ID of each cluster, or the bitwise complement of a single point's index. */
  ids: Int32Array;
  /** The index of the item that contains each item at the next lower zoom. */
  parents: Int32Array;
}

/** The lowest zoom at which a cluster is split. */
export const splitZoom = (cluster: number): number => (cluster % ZOOMS) + 1;

/** Returns a level for each zoom. The last one, for LAST_CLUSTER_ZOOM + 1, contains the points in their order. */
export function clusterLevels(x: Float64Array, y: Float64Array): Level[] {
  const size = x.length;
  const ids = new Int32Array(size);
  for (let point = 0; point < size; point += 1) ids[point] = ~point;
  const parents = new Int32Array(size).fill(-1);
  const levels: Level[] = [{ x, y, counts: new Int32Array(size).fill(1), ids, parents }];
  for (let zoom = LAST_CLUSTER_ZOOM; zoom >= 0; zoom -= 1)
    levels.unshift(merge(levels[0] as Level, zoom));
  return levels;
}

/** A hash of a square of the grid. The functions are not closures, because V8 would compile them again for each level. */
const hash = (column: number, row: number): number =>
  Math.imul(column, 0x9e3779b1) + Math.imul(row, 0x85ebca6b);

/** Merges each item with all others within the cluster radius that are not merged yet, and sets its parent. */
function merge({ x, y, counts, ids, parents }: Level, zoom: number): Level {
  const size = x.length;
  const radius = RADIUS / TILE / 2 ** zoom;
  const side = 2 * radius;
  // A grid in a hash table: the first item of each bucket, and the next one after each item. It is faster to fill than a search tree.
  const shift = Math.clz32(size);
  const first = new Int32Array(2 ** (32 - shift)).fill(-1);
  const next = new Int32Array(size);
  for (let item = 0; item < size; item += 1) {
    const bucket =
      hash(Math.floor((x[item] ?? 0) / side), Math.floor((y[item] ?? 0) / side)) >>> shift;
    next[item] = first[bucket] ?? -1;
    first[bucket] = item;
  }
  const mergedX = new Float64Array(size);
  const mergedY = new Float64Array(size);
  const mergedCounts = new Int32Array(size);
  const mergedIds = new Int32Array(size);
  let made = 0;
  for (let item = 0; item < size; item += 1) {
    if (parents[item] !== -1) continue;
    parents[item] = made;
    const itemX = x[item] ?? 0;
    const itemY = y[item] ?? 0;
    const own = counts[item] ?? 0;
    let count = own;
    let sumX = itemX * own;
    let sumY = itemY * own;
    const column = Math.floor((itemX - radius) / side);
    const row = Math.floor((itemY - radius) / side);
    for (let corner = 0; corner < 4; corner += 1) {
      let other = first[hash(column + (corner & 1), row + (corner >> 1)) >>> shift] ?? -1;
      for (; other !== -1; other = next[other] ?? -1) {
        if (parents[other] !== -1) continue;
        const otherX = x[other] ?? 0;
        const otherY = y[other] ?? 0;
        if ((otherX - itemX) ** 2 + (otherY - itemY) ** 2 > radius ** 2) continue;
        parents[other] = made;
        const more = counts[other] ?? 0;
        count += more;
        sumX += otherX * more;
        sumY += otherY * more;
      }
    }
    mergedX[made] = sumX / count;
    mergedY[made] = sumY / count;
    mergedCounts[made] = count;
    mergedIds[made] = count === own ? (ids[item] ?? 0) : made * ZOOMS + zoom;
    made += 1;
  }
  return {
    x: mergedX.slice(0, made),
    y: mergedY.slice(0, made),
    counts: mergedCounts.slice(0, made),
    ids: mergedIds.slice(0, made),
    parents: new Int32Array(made).fill(-1),
  };
}

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the indexes of a level's items inside the bounds. A loop over 100,000 items takes less than a millisecond. */
export function itemsWithin({ x, y }: Level, { left, top, right, bottom }: Bounds): number[] {
  const items: number[] = [];
  for (let item = 0; item < x.length; item += 1) {
    const itemX = x[item] ?? 0;
    const itemY = y[item] ?? 0;
    if (itemX >= left && itemX <= right && itemY >= top && itemY <= bottom) items.push(item);
  }
  return items;
}

/** Sums a value of each point for the items of each level. */
export function sumItems(levels: readonly Level[], values: readonly number[]): Int32Array[] {
  const sums = levels.map(({ ids }) => new Int32Array(ids.length));
  values.forEach((value, point) => {
    if (value === 0) return;
    let item = point;
    for (let zoom = LAST_CLUSTER_ZOOM + 1; zoom >= 0; zoom -= 1) {
      const [level, sum] = [levels[zoom], sums[zoom]];
      if (!level || !sum) return;
      sum[item] = (sum[item] ?? 0) + value;
      item = level.parents[item] ?? 0;
    }
  });
  return sums;
}
