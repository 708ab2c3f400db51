// Clusters parks by zoom level and sums the dogs of each cluster. Pure code; the worker only passes messages.
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { foldText } from '#/core/fold-text.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';
import {
  clusterLevels,
  itemsWithin,
  LAST_CLUSTER_ZOOM,
  type Level,
  splitZoom,
  sumItems,
} from '#/map/cluster-levels.ts';
import type { City, LiveRow, MapItem, MapPark, View } from '#/map/cluster-protocol.ts';

/** Maximum number of cities at the top of the search results. */
const MAX_CITIES = 2;

/** Parks with the same coordinates are drawn on a circle of this radius, so their pins can be tapped at high zooms. */
const SPREAD_METRES = 15;
/** Maximum number of parks on a circle of that radius. With more parks, the radius grows. */
const ON_CIRCLE = 6;
const METRES_PER_DEGREE = 111_195;

const RADIAN = Math.PI / 180;

// Web Mercator, from 0 in the north-west to 1 in the south-east.
const toX = (long: number): number => long / 360 + 0.5;
const toY = (lat: number): number => 0.5 - Math.atanh(Math.sin(lat * RADIAN)) / (2 * Math.PI);
const toLong = (x: number): number => (x - 0.5) * 360;
const toLat = (y: number): number => Math.asin(Math.tanh((0.5 - y) * 2 * Math.PI)) / RADIAN;

/** Coordinates as one number, with a precision of one metre. */
const placeKey = ({ lat, long }: LatLong): number =>
  (Math.round(lat * 1e5) + 9e6) * 4e7 + Math.round(long * 1e5) + 1.8e7;

/** Where parks with the same coordinates as others are drawn, by index. */
function spreadPlaces(parks: readonly ParkListItem[]): Map<number, LatLong> {
  const keys = new Float64Array(parks.length);
  parks.forEach(({ location }, at) => (keys[at] = placeKey(location)));
  // Comparing sorted keys is several times faster than a map of all keys.
  const sorted = keys.slice().sort();
  const groups = new Map<number, number[]>();
  sorted.forEach((key, at) => key === sorted[at - 1] && groups.set(key, []));
  if (groups.size > 0) keys.forEach((key, at) => groups.get(key)?.push(at));
  const places = new Map<number, LatLong>();
  for (const group of groups.values()) {
    const radius = (SPREAD_METRES * Math.max(1, group.length / ON_CIRCLE)) / METRES_PER_DEGREE;
    for (const [index, at] of group.entries()) {
      const angle = (2 * Math.PI * index) / group.length;
      const { lat, long } = parks[at]?.location ?? { lat: 0, long: 0 };
      places.set(at, {
        lat: lat + radius * Math.cos(angle),
        long: long + (radius * Math.sin(angle)) / Math.cos(lat * RADIAN),
      });
    }
  }
  return places;
}

/** Takes about 0.1 s for 100,000 parks on a laptop, so call it only in a worker. */
export function createClusterIndex(parks: readonly ParkListItem[]) {
  const spread = spreadPlaces(parks);
  let live = new Map<number, LiveRow>();
  let only: ReadonlySet<number> | null = null;
  /** Park locations by city, grouped at the first search. */
  let places: Map<string, LatLong[]> | null = null;
  /** The indexes of the drawn parks, which are the points of the levels. */
  let points: number[] = [];
  let levels: Level[] = [];
  /** The dogs of each item of each level. */
  let dogs: Int32Array[] = [];
  build();

  const isDrawn = (at: number): boolean => only?.has(parks[at]?.id ?? NaN) ?? true;
  const dogsAt = (at: number): number => live.get(parks[at]?.id ?? NaN)?.dogs ?? 0;

  function build(): void {
    points = [...parks.keys()];
    if (only) points = points.filter(isDrawn);
    const x = new Float64Array(points.length);
    const y = new Float64Array(points.length);
    points.forEach((at, point) => {
      const { lat, long } = spread.get(at) ?? parks[at]?.location ?? { lat: 0, long: 0 };
      x[point] = toX(long);
      y[point] = toY(lat);
    });
    levels = clusterLevels(x, y);
    sumDogs();
  }

  function sumDogs(): void {
    dogs = sumItems(levels, live.size > 0 ? points.map(dogsAt) : []);
  }

  function parkAt(at: number): MapPark | null {
    const park = parks[at];
    if (!park) return null;
    const { id, location, name, rank } = park;
    return { type: 'park', id, location, name, rank, dogs: dogsAt(at) };
  }

  return {
    /** Sets the number of dogs at each park; returns false if nothing changed. */
    setLive(rows: readonly LiveRow[]): boolean {
      const next = new Map(rows.map((row) => [row.id, row]));
      const same =
        next.size === live.size && rows.every(({ id, dogs }) => live.get(id)?.dogs === dogs);
      if (same) return false;
      live = next;
      sumDogs();
      return true;
    },
    /** Draws only these parks, or all if null; returns false if nothing changed. */
    setOnly(ids: readonly number[] | null): boolean {
      if (ids === null && only === null) return false;
      only = ids && new Set(ids);
      build();
      return true;
    },
    query({ west, south, east, north, zoom }: View): MapItem[] {
      const clusterZoom = Math.min(zoom, LAST_CLUSTER_ZOOM + 1);
      const level = levels[clusterZoom] as Level;
      const bounds = { left: toX(west), top: toY(north), right: toX(east), bottom: toY(south) };
      return itemsWithin(level, bounds).flatMap((item): MapItem[] => {
        const id = level.ids[item] ?? 0;
        if (id < 0) {
          const at = points[~id] ?? NaN;
          const park = parkAt(at);
          return park ? [{ ...park, location: spread.get(at) ?? park.location }] : [];
        }
        const location = { lat: toLat(level.y[item] ?? 0), long: toLong(level.x[item] ?? 0) };
        const count = level.counts[item] ?? 0;
        return [
          {
            type: 'cluster',
            id,
            location,
            count,
            dogs: dogs[clusterZoom]?.[item] ?? 0,
            splitZoom: splitZoom(id),
          },
        ];
      });
    },
    /** Returns the parks nearest to a place, sorted by distance. @param drawn true to consider only parks that are drawn */
    nearest(place: LatLong, count: number, drawn: boolean): MapPark[] {
      // A sorted list of the best candidates is cheaper than sorting every park of a country.
      const best: { at: number; away: number }[] = [];
      for (const [at, { location }] of parks.entries()) {
        if (drawn && !isDrawn(at)) continue;
        const away = distanceBetween(place, location);
        if (best.length === count && away >= (best.at(-1)?.away ?? 0)) continue;
        best.splice(best.filter((other) => other.away <= away).length, 0, { at, away });
        best.length = Math.min(best.length, count);
      }
      return best.flatMap(({ at }) => {
        const [park, known] = [parkAt(at), parks[at]?.known];
        return park ? [{ ...park, ...(known && { known }) }] : [];
      });
    },
    /** Cities whose names start with text, the one with the most parks first, at most MAX_CITIES. */
    cities(text: string): City[] {
      const begun = foldText(text);
      places ??= placesByCity(parks);
      return [...places]
        .filter(([city]) => foldText(city).startsWith(begun))
        .sort(([, a], [, b]) => b.length - a.length)
        .slice(0, MAX_CITIES)
        .map(([name, inCity]) => ({ name, location: middleOf(inCity) }));
    },
    find: (id: number): MapPark | null => parkAt(parks.findIndex((park) => park.id === id)),
  };
}

export type ClusterIndex = ReturnType<typeof createClusterIndex>;

/** Returns the place nearest to the mean of all places. The mean itself may be in the sea. */
function middleOf(places: readonly LatLong[]): LatLong {
  const mean = (of: (place: LatLong) => number) =>
    places.reduce((sum, place) => sum + of(place), 0) / places.length;
  const middle = { lat: mean(({ lat }) => lat), long: mean(({ long }) => long) };
  return places.reduce((best, place) =>
    distanceBetween(place, middle) < distanceBetween(best, middle) ? place : best,
  );
}

function placesByCity(parks: readonly ParkListItem[]): Map<string, LatLong[]> {
  const places = new Map<string, LatLong[]>();
  for (const { city, location } of parks) {
    const others = places.get(city);
    if (others) others.push(location);
    else places.set(city, [location]);
  }
  return places;
}
