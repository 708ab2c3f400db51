// GET geocode?q&mode=suggest|search&language: places for an address. Our own parks and streets answer while somebody
// types; the public service forbids that, so it is asked only for a submitted search.
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { serviceClient, unwrap } from '../_shared/clients.ts';
import { askOutside } from '../_shared/outside.ts';
import { LANGUAGES } from '../_shared/languages.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';
import { QueueFullError, waitForSlot } from '../_shared/service-slots.ts';

const DAY = 24 * 60 * 60 * 1000;
const MAX_RESULTS = 3;
const MAX_QUEUE = 20;

interface Place {
  label: string;
  lat: number;
  long: number;
  /** As a form takes them; empty where they are not known. */
  city: string;
  /** Street and number. */
  address: string;
  /** Whether it is one of our parks. */
  kind: 'park' | 'address';
}

const querySchema = v.object({
  // PostgreSQL's text holds no NUL.
  q: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200), v.excludes('\0')),
  mode: v.optional(v.picklist(['suggest', 'search']), 'search'),
  language: v.optional(v.picklist(LANGUAGES), 'en'),
});
type Query = v.InferOutput<typeof querySchema>;

const degree = v.pipe(v.string(), v.transform(Number), v.finite());
const text = v.optional(v.string());
const foundSchema = v.array(
  v.object({
    lat: degree,
    lon: degree,
    display_name: v.string(),
    address: v.optional(
      v.object({ road: text, house_number: text, city: text, town: text, village: text }),
    ),
  }),
);

/** The label is street, number and town where the service names them, else its display name. */
function placeOf(found: v.InferOutput<typeof foundSchema>[number]): Place {
  const { road, house_number, city, town, village } = found.address ?? {};
  const [inCity, address] = [
    city ?? town ?? village ?? '',
    road ? `${road} ${house_number ?? ''}`.trim() : '',
  ];
  const label = inCity && address ? `${address}, ${inCity}` : found.display_name;
  return { label, lat: found.lat, long: found.lon, city: inCity, address, kind: 'address' };
}

async function askService(key: string): Promise<Place[]> {
  const [language = 'en', ...rest] = key.split(':');
  const base = Deno.env.get('GEOCODER_URL') ?? 'https://nominatim.openstreetmap.org';
  const url = new URL(`${base.replace(/\/+$/, '')}/search`);
  url.search = String(
    new URLSearchParams({
      q: rest.join(':'),
      limit: String(MAX_RESULTS),
      format: 'json',
      addressdetails: '1',
      countrycodes: 'il',
    }),
  );
  const found = v.safeParse(foundSchema, await askOutside(url, { 'accept-language': language }));
  if (!found.success) throw new HttpError(503, 'The service is not available right now');
  return found.output.slice(0, MAX_RESULTS).map(placeOf);
}

const perSecond = Number(Deno.env.get('GEOCODER_PER_SECOND') ?? 1);
const known = new LRUCache<string, Place[]>({
  max: 5000,
  ttl: DAY,
  async fetchMethod(key) {
    await waitForSlot(serviceClient(), 'geocoder', perSecond, MAX_QUEUE);
    return askService(key);
  },
});

async function fromService({ q, language }: Query): Promise<Place[]> {
  try {
    return (await known.fetch(`${language}:${q.toLowerCase()}`)) ?? [];
  } catch (error) {
    if (error instanceof QueueFullError) throw new HttpError(503, 'Too many searches right now');
    throw error;
  }
}

async function fromOurs({ q, language }: Query): Promise<Place[]> {
  const found = unwrap(
    await serviceClient().rpc('suggest_places', { input: q, p_language: language }),
  );
  return found.map(({ is_park, ...place }) => ({ ...place, kind: is_park ? 'park' : 'address' }));
}

async function suggest(query: Query): Promise<Place[]> {
  const ours = await fromOurs(query);
  if (ours.length >= MAX_RESULTS || query.q.length < 3) return ours;
  if (Deno.env.get('GEOCODER_AUTOCOMPLETE') !== 'true') return ours;
  const others = await fromService(query).catch(() => []);
  return [...ours, ...others].slice(0, MAX_RESULTS);
}

async function search(query: Query): Promise<Place[]> {
  try {
    const found = await fromService(query);
    return found.length > 0 ? found : await fromOurs(query);
  } catch (error) {
    const ours = await fromOurs(query);
    if (ours.length > 0) return ours;
    throw error;
  }
}

serve('GET', async (request) => {
  const query = v.safeParse(querySchema, Object.fromEntries(new URL(request.url).searchParams));
  if (!query.success) throw new HttpError(400, 'The search is wrong');
  return json(await (query.output.mode === 'suggest' ? suggest : search)(query.output));
});
