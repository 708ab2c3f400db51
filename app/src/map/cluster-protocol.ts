// Messages between the map and its clustering worker.
import type { Language } from '#/i18n/languages.ts';
import type { LatLong } from '#/core/distance.ts';
import type { Area } from '#/map/vector/offline-map.ts';
import type { ListedFacts } from '#/entities/parks/park-list-file.ts';

/** Number of dogs at a park now. Parks without dogs have no row. */
export interface LiveRow {
  id: number;
  dogs: number;
}

export interface MapPark {
  type: 'park';
  id: number;
  location: LatLong;
  name: string;
  rank: number | null;
  dogs: number;
  /** Facts from the park list, only in the results of `nearest`. */
  known?: ListedFacts;
}

export interface MapCluster {
  type: 'cluster';
  id: number;
  location: LatLong;
  count: number;
  dogs: number;
  /** The zoom at which the cluster splits. */
  splitZoom: number;
}

export interface City {
  name: string;
  /** Location of its most central park. */
  location: LatLong;
}

export type MapItem = MapPark | MapCluster;

/** A map rectangle in degrees, at an integer zoom level. */
export interface View extends Area {
  zoom: number;
}

/** The published park list in one language. */
export interface ParkSource {
  supabaseUrl: string;
  language: Language;
  /** True if the worker caches the list itself: in the native apps, which have no service worker. */
  keep: boolean;
}

/** Index methods that the page can call; the response arrives once parks are loaded. */
export type IndexMethod = 'nearest' | 'find' | 'cities';

export type ToWorker =
  | { type: 'load'; source: ParkSource }
  /** Load the parks again past all caches. The worker sends no response if they are unchanged. */
  | { type: 'refresh'; source: ParkSource }
  | { type: 'live'; rows: LiveRow[] }
  /** Draw only these parks; null draws all. */
  | { type: 'only'; ids: readonly number[] | null }
  | { type: 'query'; request: number; view: View }
  | { type: 'call'; request: number; method: IndexMethod; values: unknown[] };

export type FromWorker =
  | { type: 'loaded'; count: number }
  | { type: 'failed'; message: string }
  /** The drawn parks or their dogs have changed, so query the view again. */
  | { type: 'changed' }
  | { type: 'items'; request: number; items: MapItem[] }
  | { type: 'result'; request: number; result: unknown };
