// The published list of parks, one file per language in the bucket: its format, URL and parser.
import { DEFAULT_LANGUAGE, type Language } from '#/i18n/languages.ts';
import type { StoredFacts } from '../../../../shared/park-facts.ts';
import type { LatLong } from '#/core/distance.ts';
import { isLatLong } from '#/core/place.ts';
import type { ParkFacts } from '../../../../shared/park-facts.ts';

/** Known facts of a park, apart from its names and location. */
export interface ListedFacts {
  size?: string;
  ground?: string[];
  /** Hours of shade per day. */
  shade?: number;
  facilities?: boolean;
  facts?: StoredFacts;
}

export interface ParkListItem {
  id: number;
  name: string;
  city: string;
  address: string;
  location: LatLong;
  /** Average rating with one decimal place; null without reviews. */
  rank: number | null;
  /** Number of reviews; missing if there are none. */
  reviews?: number;
  /** Missing if no facts are known. */
  known?: ListedFacts;
}

/** The facts of a listed park in the shape that its page uses; the list does not contain the area in square metres. */
export const factsOf = (known: ListedFacts | undefined): ParkFacts => ({
  size: null,
  size_label: known?.size ?? null,
  materials: known?.ground ?? null,
  shade: known?.shade ?? null,
  has_facilities: known?.facilities ?? null,
  facts: known?.facts ?? {},
});

/** The list could not be loaded for any reason, including offline. */
export class ParkFileError extends Error {}

/** Falls back to the English file if a language has no valid one. @param cache set in native apps @throws ParkFileError */
export const fetchParkFile = async (
  supabaseUrl: string,
  language: Language,
  cache = false,
): Promise<ParkListItem[]> =>
  (await orEnglish(language, (each) => read(parkFileUrl(supabaseUrl, each), cache))) ?? [];

/** Fetches the file past all caches. Returns null if it is the version that was read last. @throws ParkFileError */
export const refreshParkFile = (
  supabaseUrl: string,
  language: Language,
): Promise<ParkListItem[] | null> =>
  orEnglish(language, (each) => read(parkFileUrl(supabaseUrl, each), false, true));

/** A random value of this device. Without it, all devices would fetch a new list at the same moment. */
const JITTER = Math.random();

/**
 * Milliseconds until the list is refreshed while it is on screen. An empty list is refreshed sooner, because the site is probably
 * still being set up.
 */
export const refreshDelay = (count: number | undefined): number =>
  count === 0 ? 4000 + 4000 * JITTER : 120_000 + 150_000 * JITTER;

async function orEnglish<Result>(
  language: Language,
  readFile: (language: Language) => Promise<Result>,
): Promise<Result> {
  try {
    return await readFile(language);
  } catch (error) {
    if (language === DEFAULT_LANGUAGE) throw error;
    console.warn(`No list of parks in ${language}:`, error);
    return readFile(DEFAULT_LANGUAGE);
  }
}

export const parkFileUrl = (supabaseUrl: string, language: Language): string =>
  `${supabaseUrl}/storage/v1/object/public/parks/parks-${language}.json`;

interface PublishedList {
  list: unknown;
  /** Null if the host does not send one. */
  version: string | null;
}

/** URL to the version that was read last. */
const versions = new Map<string, string | null>();

async function fetchList(url: string, options: RequestInit = {}): Promise<PublishedList> {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(15_000) });
  if (!response.ok) throw new ParkFileError(`${url}: ${response.status}`);
  const { headers } = response;
  return {
    list: await response.json(),
    version: headers.get('etag') ?? headers.get('last-modified'),
  };
}

async function read(
  url: string,
  cache: boolean,
  isRefresh = false,
): Promise<ParkListItem[] | null> {
  let file: PublishedList;
  try {
    file = cache
      ? await import('#/entities/parks/park-list-cache.ts').then(({ cachedList }) =>
          cachedList(url, () => fetchList(url)),
        )
      : await fetchList(url, isRefresh ? { cache: 'no-cache' } : {});
  } catch (error) {
    if (error instanceof ParkFileError) throw error;
    throw new ParkFileError(`${url} cannot be read`, { cause: error });
  }
  if (isRefresh && file.version !== null && file.version === versions.get(url)) return null;
  versions.set(url, file.version);
  return readParkList(file.list);
}

/** Most parks have few known facts, so the property is omitted if there are none. */
function knownOf({ size, ground, shade, facilities, facts }: ListedFacts) {
  if ((size ?? ground ?? shade ?? facilities ?? facts) === undefined) return undefined;
  return { known: { size, ground, shade, facilities, facts } as ListedFacts };
}

/** Omits rows without an ID, a name or valid coordinates. @throws ParkFileError if it is not an array */
export function readParkList(list: unknown): ParkListItem[] {
  if (!Array.isArray(list)) throw new ParkFileError('The list of parks is not a list');
  const parks: ParkListItem[] = [];
  // Validated by hand, because a schema library would take seconds for a large file on a slow phone.
  for (const row of list as (Partial<ParkListItem> & ListedFacts)[]) {
    // The location is not copied, because keeping 100,000 more objects in memory would double the time.
    const location = row?.location;
    if (!isLatLong(location) || typeof row.id !== 'number' || typeof row.name !== 'string')
      continue;
    parks.push({
      id: row.id,
      name: row.name,
      city: row.city ?? '',
      address: row.address ?? '',
      location,
      rank: typeof row.rank === 'number' ? row.rank : null,
      ...(typeof row.reviews === 'number' && { reviews: row.reviews }),
      ...knownOf(row),
    });
  }
  return parks;
}
