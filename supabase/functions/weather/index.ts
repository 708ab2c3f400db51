// GET weather?latitude&longitude: the weather of today and tomorrow hour by hour; one call to the service per grid cell and half hour.
import { LRUCache } from 'lru-cache';
import { serviceClient } from '../_shared/clients.ts';
import { askOutside, degrees } from '../_shared/outside.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';
import { limitShare, waitForSlot } from '../_shared/service-slots.ts';

const HALF_HOUR = 1_800_000;
const DAY = 86_400_000;
/** About 5 km: finer than the forecast's own grid, and no longer the place where somebody stands. */
const CELL_DEGREES = 0.05;
/** What Open-Meteo allows; a client that asks for the whole world cell by cell must not use it up for everybody. */
const PER_SECOND = 10;
const MAX_QUEUE = 20;

/** What Open-Meteo's free service allows in a day, for all our users together. */
const PER_DAY = Number(Deno.env.get('WEATHER_PER_DAY') ?? 10_000);

/** What one address may cause of them: a mobile network gives many people one, and a cell that somebody asked for costs nothing. */
const PER_DAY_AND_ADDRESS = Math.ceil(PER_DAY / 20);

/** The day (UTC) whose calls are all made; the service is not asked again before the next day. */
let exhaustedDay = '';

/** @throws HttpError 503 where the service must not be asked now, 429 where this request's address has asked too often */
async function waitForService(request: Request): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const exhausted = new HttpError(503, 'No more weather today');
  if (exhaustedDay === day) throw exhausted;
  await limitShare(serviceClient(), 'weather', request, PER_DAY_AND_ADDRESS, '1 day');
  if (await waitForSlot(serviceClient(), 'weather', PER_SECOND, MAX_QUEUE, PER_DAY)) return;
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
      // In the evening, what matters is tomorrow's morning.
      forecast_days: '2',
    }),
  );
  const { timezone, utc_offset_seconds, hourly } = (await askOutside(url)) as Record<
    string,
    unknown
  >;
  return { timezone, utc_offset_seconds, hourly };
}

/** Milliseconds for which a forecast holds: half an hour, and not past the midnight of its place. */
function holdsFor({ utc_offset_seconds: offset }: { utc_offset_seconds?: unknown }): number {
  const ofDay = (Date.now() + (typeof offset === 'number' ? offset * 1000 : 0)) % DAY;
  return Math.min(HALF_HOUR, DAY - ofDay);
}

// Requests for the same cell share the call that is under way.
const cells = new LRUCache<string, object, Request>({
  max: 2000,
  ttl: HALF_HOUR,
  async fetchMethod(cell, _stale, { context, options }) {
    const found = await forecast(cell, context);
    options.ttl = holdsFor(found);
    return found;
  },
});

const snap = (value: number): string =>
  (Math.round(value / CELL_DEGREES) * CELL_DEGREES).toFixed(2);

serve('GET', async (request) => {
  const query = new URL(request.url).searchParams;
  const latitude = degrees(query.get('latitude'), 90);
  const longitude = degrees(query.get('longitude'), 180);
  const cell = `${snap(latitude)},${snap(longitude)}`;
  const found = await cells.fetch(cell, { context: request });
  // The app asks each minute; until the forecast is another, its browser answers by itself.
  const seconds = Math.floor(cells.getRemainingTTL(cell) / 1000);
  return json(found, 200, { 'cache-control': `private, max-age=${String(seconds)}` });
});
