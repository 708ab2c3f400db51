// Clusters parks by zoom level and sums the dogs of each cluster. Pure code; the worker only passes messages.
import Supercluster from 'supercluster';
import { distanceBetween, type LatLong } from '#/core/distance.ts';
import { foldText } from '#/core/fold-text.ts';
import type { ParkListItem } from '#/entities/parks/park-list-file.ts';
import type { City, LiveRow, MapItem, MapPark, View } from '#/map/cluster-protocol.ts';

/** Above this zoom, parks are far enough apart to be tapped, so they are not clustered. */
export const LAST_CLUSTER_ZOOM = 17;

/** Cluster radius in Leaflet pixels (256 per tile). */
const RADIUS = 80;
const TILE = 256;
/** Benchmarked: the fastest to build with 100,000 parks. */
const NODE_SIZE = 32;

/** Maximum number of cities at the top of the search results. */
const MAX_CITIES = 2;

/** Parks with the same coordinates are drawn on a circle of this radius, so their pins can be tapped at high zooms. */
const SPREAD_METRES = 15;
/** The circle grows when there are more parks. */
const ON_CIRCLE = 6;
const METRES_PER_DEGREE = 111_195;

/** Coordinates as one number, with a precision of one metre. */
const placeKey = ({ lat, long }: LatLong): number =>
  (Math.round(lat * 1e5) + 9e6) * 4e7 + Math.round(long * 1e5) + 1.8e7;

/** Where each park is drawn: at its location, or next to it if other parks have the same coordinates. */
function drawnPlaces(parks: readonly ParkListItem[]): LatLong[] {
  const keys = new Float64Array(parks.length);
  for (const [at, { location }] of parks.entries()) keys[at] = placeKey(location);
  // Comparing sorted keys is several times faster than a map of all keys.
  const sorted = keys.slice().sort();
  const groups = new Map<number, number[]>();
  sorted.forEach((key, at) => key === sorted[at - 1] && groups.set(key, []));
  if (groups.size > 0) keys.forEach((key, at) => groups.get(key)?.push(at));
  const places = parks.map(({ location }) => location);
  for (const group of groups.values()) {
    const radius = (SPREAD_METRES * Math.max(1, group.length / ON_CIRCLE)) / METRES_PER_DEGREE;
    for (const [index, at] of group.entries()) {
      const angle = (2 * Math.PI * index) / group.length;
      const { lat, long } = places[at] ?? { lat: 0, long: 0 };
      places[at] = {
        lat: lat + radius * Math.cos(angle),
        long: long + (radius * Math.sin(angle)) / Math.cos((lat * Math.PI) / 180),
      };
    }
  }
  return places;
}

interface PointProperties {
  /** Index of the park in the list. */
  at: number;
}

interface Liveliness {
  dogs: number;
}

/** Takes about 0.2 s for 100,000 parks on a laptop, so call it only in a worker. */
export function createClusterIndex(parks: readonly ParkListItem[]) {
  const drawn = drawnPlaces(parks);
  const points = drawn.map((location, at) => ({
    type: 'Feature' as const,
    properties: { at },
    geometry: { type: 'Point' as const, coordinates: [location.long, location.lat] },
  }));
  let live = new Map<number, LiveRow>();
  let only: ReadonlySet<number> | null = null;
  /** Park locations by city, grouped at the first search. */
  let places: Map<string, LatLong[]> | null = null;
  let index = build();

  const isDrawn = (at: number): boolean => only?.has(parks[at]?.id ?? NaN) ?? true;
  const dogsAt = (at: number): number => live.get(parks[at]?.id ?? NaN)?.dogs ?? 0;

  function build(): Supercluster<PointProperties, Liveliness> {
    const size = { radius: RADIUS, extent: TILE, maxZoom: LAST_CLUSTER_ZOOM, nodeSize: NODE_SIZE };
    // Skip the sums without live data, because they take a third of the build time.
    const sums = live.size > 0 && {
      map: ({ at }: PointProperties) => ({ dogs: at === undefined ? 0 : dogsAt(at) }),
      reduce: (sum: Liveliness, more: Readonly<Liveliness>) => {
        sum.dogs += more.dogs;
      },
    };
    const loaded = only ? points.filter((_, at) => isDrawn(at)) : points;
    return new Supercluster<PointProperties, Liveliness>({ ...size, ...sums }).load(loaded);
  }

  function item(feature: ReturnType<typeof index.getClusters>[number]): MapItem | null {
    const [long = 0, lat = 0] = feature.geometry.coordinates;
    if ('cluster' in feature.properties) {
      const { cluster_id: id, point_count: count, dogs = 0 } = feature.properties;
      return { type: 'cluster', id, location: { lat, long }, count, dogs };
    }
    const { at } = feature.properties;
    const park = parkAt(at);
    return park && { ...park, location: drawn[at] ?? park.location };
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
      index = build();
      return true;
    },
    /** Draws only these parks, or all if null; returns false if nothing changed. */
    setOnly(ids: readonly number[] | null): boolean {
      if (ids === null && only === null) return false;
      only = ids && new Set(ids);
      index = build();
      return true;
    },
    query({ west, south, east, north, zoom }: View): MapItem[] {
      return index
        .getClusters([west, south, east, north], zoom)
        .map(item)
        .filter((found) => found !== null);
    },
    /** The zoom at which a cluster splits. An unknown cluster gets the zoom above the last cluster zoom. */
    expansionZoom(cluster: number): number {
      try {
        return index.getClusterExpansionZoom(cluster);
      } catch {
        // The index was rebuilt after the cluster was drawn.
        return LAST_CLUSTER_ZOOM + 1;
      }
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
