// GET weather?latitude&longitude: the hourly weather of today and tomorrow, with one call to the weather service per grid cell and
// half hour.
import { LRUCache } from 'lru-cache';
import { isService, serviceClient } from '../_shared/clients.ts';
import { fetchExternal, degrees } from '../_shared/external-services.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';
import { limitShare, waitForSlot } from '../_shared/service-slots.ts';
import { forecastCell } from '../../../shared/verdict/forecast.ts';

const HALF_HOUR = 1_800_000;
const DAY = 86_400_000;
/** Open-Meteo's limit. It also protects the daily limit from a client that requests the whole world cell by cell. */
const PER_SECOND = 10;
const MAX_QUEUE = 20;

/** The daily limit of Open-Meteo's free service, for the whole site. */
const PER_DAY = Number(Deno.env.get('WEATHER_PER_DAY') ?? 10_000);

/**
 * Daily calls that one IP address may cause. Many users of a mobile network may share one address, but cached cells are not
 * counted.
 */
const PER_DAY_AND_ADDRESS = Math.ceil(PER_DAY / 20);

/** The day (UTC) on which the limit was reached. The service is not called again on that day. */
let exhaustedDay = '';

/** @throws HttpError 503 if the service must not be called now, 429 if this IP address has caused too many calls */
async function waitForService(request: Request): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const exhausted = new HttpError(503, 'No more weather today');
  if (exhaustedDay === day) throw exhausted;
  const client = serviceClient();
  if (isService(request)) {
    // Calls for notifications of good times may use only half of the daily limit, so that the rest remains for users.
    if (await waitForSlot(client, 'weather', PER_SECOND, MAX_QUEUE, PER_DAY / 2)) return;
    throw exhausted;
  }
  await limitShare(client, 'weather', request, PER_DAY_AND_ADDRESS, '1 day');
  if (await waitForSlot(client, 'weather', PER_SECOND, MAX_QUEUE, PER_DAY)) return;
  exhaustedDay = day;
  console.warn(`weather: the ${String(PER_DAY)} calls of ${day} are made; none until tomorrow`);
  throw exhausted;
}

async function forecast(cell: string, request: Request): Promise<object> {
  await waitForService(request);
  const [latitude = '', longitude = ''] = cell.split(',');
  const url = new URL('/v1/forecast', Deno.env.get('WEATHER_URL') ?? 'https://api.open-meteo.com');
  url.search = String(
    new URLSearchParams({
      latitude,
      longitude,
      hourly: 'temperature_2m,precipitation_probability,weathercode,shortwave_radiation',
      timezone: 'auto',
      // Two days, because in the evening users plan the next morning.
      forecast_days: '2',
    }),
  );
  const { timezone, utc_offset_seconds, hourly } = (await fetchExternal(url)) as Record<
    string,
    unknown
  >;
  return { timezone, utc_offset_seconds, hourly };
}

/** Returns the milliseconds for which a forecast is valid: half an hour, but not past midnight at its location. */
function holdsFor({ utc_offset_seconds: offset }: { utc_offset_seconds?: unknown }): number {
  const ofDay = (Date.now() + (typeof offset === 'number' ? offset * 1000 : 0)) % DAY;
  return Math.min(HALF_HOUR, DAY - ofDay);
}

// Concurrent requests for the same cell share one call.
const cells = new LRUCache<string, object, Request>({
  max: 2000,
  ttl: HALF_HOUR,
  async fetchMethod(cell, _stale, { context, options }) {
    const found = await forecast(cell, context);
    options.ttl = holdsFor(found);
    return found;
  },
});

serve('GET', async (request) => {
  const query = new URL(request.url).searchParams;
  const lat = degrees(query.get('latitude'), 90);
  const long = degrees(query.get('longitude'), 180);
  const cell = forecastCell({ lat, long }).join(',');
  const found = await cells.fetch(cell, { context: request });
  // The app requests the weather every minute, so the browser caches the response until the forecast expires.
  const seconds = Math.floor(cells.getRemainingTTL(cell) / 1000);
  return json(found, 200, { 'cache-control': `private, max-age=${String(seconds)}` });
});
