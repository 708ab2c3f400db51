// Limits for data that is cached on this device, for the app and its service worker.
import { DAY_MS } from '../../../shared/durations.ts';

/** Equals the time for which data is fresh (stale.ts). */
export const QUERY_MAX_AGE_MS = DAY_MS;
/** The user's own data rarely changes except by the user, and must be available in a park without reception for longer. */
export const OWN_QUERY_MAX_AGE_MS = 30 * DAY_MS;
/** The most recent queries are kept. */
export const MAX_QUERIES = 300;

/** A few neighbourhoods at the zoom level of the park search. */
export const MAX_TILES = 400;
/** OpenStreetMap requires clients to cache a tile for at least seven days. */
export const TILE_FRESH_MS = 7 * DAY_MS;
/** When offline, tiles up to this age are shown. */
export const TILE_MAX_AGE_MS = 30 * DAY_MS;

/** Limit for the offline map: a city and its surroundings. */
export const MAX_OFFLINE_MAP_BYTES = 40_000_000;

/** Photos of parks, which only the service worker caches. */
export const MAX_CACHED_PHOTOS = 80;
