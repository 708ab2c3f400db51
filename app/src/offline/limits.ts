// How much of what was seen stays on this device, and for how long: for the app and for its service worker alike.
import { DAY_MS } from '#/core/durations.ts';

/** As long as an answer counts as fresh (stale.ts). */
export const QUERY_MAX_AGE_MS = DAY_MS;
/** What is one's own changes hardly but by oneself, and a park without reception needs it on the second day, too. */
export const OWN_QUERY_MAX_AGE_MS = 30 * DAY_MS;
/** The newest of them; a device is no archive. */
export const MOST_QUERIES = 300;

/** A few neighbourhoods at the zoom where parks are looked for. */
export const MOST_TILES = 400;
/** OpenStreetMap asks clients to cache a tile for at least seven days. */
export const TILE_FRESH_MS = 7 * DAY_MS;
/** Without a network an older one is better than none, up to here. */
export const TILE_MAX_AGE_MS = 30 * DAY_MS;

/** What a person may keep of the site's own map: a city and its surroundings. */
export const MOST_KEPT_MAP_BYTES = 40_000_000;

/** Photos of parks, which only the service worker caches. */
export const MOST_CACHED_PHOTOS = 80;
