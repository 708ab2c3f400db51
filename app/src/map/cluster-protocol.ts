// The messages between the map and its clustering worker.
import type { Language } from '#/i18n/languages.ts';
import type { LatLong } from '#/core/distance.ts';
import type { Area } from '#/map/vector/offline-map.ts';
import type { ListedFacts } from '#/entities/parks/park-list-file.ts';

/** The dogs at one park now; parks without any have no row. */
export interface LiveRow {
  id: number;
  dogs: number;
}

export interface MapPark {
  kind: 'park';
  id: number;
  location: LatLong;
  name: string;
  rank: number | null;
  dogs: number;
  /** What the list knows of it; missing on what is only drawn. */
  known?: ListedFacts;
}

export interface MapCluster {
  kind: 'cluster';
  id: number;
  location: LatLong;
  count: number;
  dogs: number;
}

export interface City {
  name: string;
  /** Of the park in its middle. */
  location: LatLong;
}

export type MapItem = MapPark | MapCluster;

/** A rectangle of the map, in degrees, at a whole zoom level. */
export interface View extends Area {
  zoom: number;
}

/** Where the worker gets its parks: the published file in a language. */
export interface ParkSource {
  supabaseUrl: string;
  language: Language;
  /** In a shell; see `fetchParkFile`. */
  keep: boolean;
}

/** What the page asks the index for; answered once parks are loaded. */
export type Asked = 'expansionZoom' | 'nearest' | 'find' | 'cities';

export type ToWorker =
  | { type: 'load'; source: ParkSource }
  | { type: 'live'; rows: LiveRow[] }
  /** Draw these parks alone; null: all. */
  | { type: 'only'; ids: readonly number[] | null }
  | { type: 'query'; request: number; view: View }
  | { type: 'ask'; request: number; method: Asked; values: unknown[] };

export type FromWorker =
  | { type: 'loaded'; count: number }
  | { type: 'failed'; message: string }
  /** Other parks are drawn now, or other dogs: what is drawn should be asked for again. */
  | { type: 'changed' }
  | { type: 'items'; request: number; items: MapItem[] }
  | { type: 'answer'; request: number; answer: unknown };
