// GET geocode?q&mode=suggest|search&language: locations for a street address. Suggestions while the user types come from the site's
// own parks and streets, because the public service forbids autocompletion. The service is only used when a search is submitted.
// GET geocode?mode=point&latitude&longitude&language: the street address of a point that the user picked on a map, or none.
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { serviceClient, unwrap, visitorClient } from '../_shared/clients.ts';
import { fetchExternal, degrees } from '../_shared/external-services.ts';
import { MAX_PLACE_LENGTH } from '../../../shared/input-lengths.ts';
import { LANGUAGE_CODES } from '../../../shared/languages.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';
import { limitShare, waitForSlot } from '../_shared/service-slots.ts';

const DAY = 24 * 60 * 60 * 1000;
const MAX_RESULTS = 3;
const MAX_QUEUE = 20;

interface Place {
  label: string;
  lat: number;
  long: number;
  /** `city` and `address` are formatted for form fields; empty if unknown. */
  city: string;
  address: string;
  type: 'park' | 'address';
}

/** Coordinates are rounded to about a metre, so that two taps on the same spot share a cache entry. */
const POINT_DIGITS = 5;

const pointSchema = v.object({
  mode: v.literal('point'),
  latitude: v.string(),
  longitude: v.string(),
  language: v.optional(v.picklist(LANGUAGE_CODES), 'en'),
});
type Point = v.InferOutput<typeof pointSchema>;

const querySchema = v.object({
  // PostgreSQL cannot store NUL in a text.
  q: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_PLACE_LENGTH), v.excludes('\0')),
  mode: v.optional(v.picklist(['suggest', 'search']), 'search'),
  language: v.optional(v.picklist(LANGUAGE_CODES), 'en'),
});
type Query = v.InferOutput<typeof querySchema>;

const degree = v.pipe(v.string(), v.transform(Number), v.finite());
const text = v.optional(v.string());
const placeSchema = v.object({
  lat: degree,
  lon: degree,
  display_name: v.string(),
  address: v.optional(
    v.object({ road: text, house_number: text, city: text, town: text, village: text }),
  ),
});
const foundSchema = v.array(placeSchema);
/** For a point without an address nearby, for example in the sea, the service returns an error instead of a place. */
const nearSchema = v.union([placeSchema, v.object({ error: v.string() })]);

/** Converts a result. The label is street, number and town if the service returns them, otherwise its display name. */
function placeOf(found: v.InferOutput<typeof placeSchema>): Place {
  const { road, house_number, city, town, village } = found.address ?? {};
  const [inCity, address] = [
    city ?? town ?? village ?? '',
    road ? `${road} ${house_number ?? ''}`.trim() : '',
  ];
  const label = inCity && address ? `${address}, ${inCity}` : found.display_name;
  return { label, lat: found.lat, long: found.lon, city: inCity, address, type: 'address' };
}

function serviceUrl(path: string, parameters: Record<string, string>): URL {
  const base = Deno.env.get('GEOCODER_URL') ?? 'https://nominatim.openstreetmap.org';
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`);
  url.search = String(new URLSearchParams({ ...parameters, format: 'json', addressdetails: '1' }));
  return url;
}

const unavailable = () => new HttpError(503, 'The service is not available right now');

async function askForAddress(q: string, language: string): Promise<Place[]> {
  const countrycodes = Deno.env.get('ADDRESS_COUNTRY') ?? 'il';
  const url = serviceUrl('/search', { q, limit: String(MAX_RESULTS), countrycodes });
  const found = v.safeParse(foundSchema, await fetchExternal(url, { 'accept-language': language }));
  if (!found.success) throw unavailable();
  return found.output.slice(0, MAX_RESULTS).map(placeOf);
}

async function askForPoint(point: string, language: string): Promise<Place[]> {
  const [lat = '', lon = ''] = point.split(',');
  const url = serviceUrl('/reverse', { lat, lon, zoom: '18' });
  const near = v.safeParse(nearSchema, await fetchExternal(url, { 'accept-language': language }));
  if (!near.success) throw unavailable();
  return 'error' in near.output ? [] : [placeOf(near.output)];
}

/** @param key `type:language:words`, as built in `fromService` */
function askService(key: string): Promise<Place[]> {
  const [type, language = 'en', ...rest] = key.split(':');
  return (type === 'point' ? askForPoint : askForAddress)(rest.join(':'), language);
}

const perSecond = Number(Deno.env.get('GEOCODER_PER_SECOND') ?? 1);
/** One IP address may cause a fifth of the calls to the service. Cached results are not counted. */
const PER_MINUTE_AND_ADDRESS = Math.ceil(perSecond * 12);
const known = new LRUCache<string, Place[], Request>({
  max: 5000,
  ttl: DAY,
  async fetchMethod(key, _stale, { context }) {
    await limitShare(serviceClient(), 'geocoder', context, PER_MINUTE_AND_ADDRESS, '1 minute');
    await waitForSlot(serviceClient(), 'geocoder', perSecond, MAX_QUEUE);
    return askService(key);
  },
});

const fromService = async (
  type: 'point' | 'address',
  words: string,
  language: string,
  context: Request,
) => (await known.fetch(`${type}:${language}:${words.toLowerCase()}`, { context })) ?? [];

async function fromOurs({ q, language }: Query, request: Request): Promise<Place[]> {
  const found = unwrap(
    await visitorClient(request).rpc('suggest_places', { input: q, p_language: language }),
  );
  return found.map(({ is_park, ...place }) => ({ ...place, type: is_park ? 'park' : 'address' }));
}

async function suggest(query: Query, request: Request): Promise<Place[]> {
  const ours = await fromOurs(query, request);
  if (ours.length >= MAX_RESULTS || query.q.length < 3) return ours;
  if (Deno.env.get('GEOCODER_AUTOCOMPLETE') !== 'true') return ours;
  const others = await fromService('address', query.q, query.language, request).catch(() => []);
  return [...ours, ...others].slice(0, MAX_RESULTS);
}

async function search(query: Query, request: Request): Promise<Place[]> {
  try {
    const found = await fromService('address', query.q, query.language, request);
    return found.length > 0 ? found : await fromOurs(query, request);
  } catch (error) {
    const ours = await fromOurs(query, request);
    if (ours.length > 0) return ours;
    throw error;
  }
}

function nearPoint({ latitude, longitude, language }: Point, request: Request): Promise<Place[]> {
  const point = [degrees(latitude, 90), degrees(longitude, 180)].map((value) =>
    value.toFixed(POINT_DIGITS),
  );
  return fromService('point', point.join(), language, request);
}

serve('GET', async (request) => {
  const parameters = Object.fromEntries(new URL(request.url).searchParams);
  const point = v.safeParse(pointSchema, parameters);
  if (point.success) return json(await nearPoint(point.output, request));
  const query = v.safeParse(querySchema, parameters);
  if (!query.success) throw new HttpError(400, 'The search is wrong');
  return json(await (query.output.mode === 'suggest' ? suggest : search)(query.output, request));
});
