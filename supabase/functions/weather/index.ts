// GET weather?latitude&longitude: today's weather hour by hour; one call to the service per grid cell and minute.
import { LRUCache } from 'lru-cache';
import { serviceClient } from '../_shared/clients.ts';
import { askOutside, degrees } from '../_shared/outside.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';
import { DayUsedError, QueueFullError, takeTurn } from '../_shared/turns.ts';

const MINUTE = 60_000;
/** About 5 km: finer than the forecast's own grid, and no longer the place where somebody stands. */
const CELL_DEGREES = 0.05;
/** What Open-Meteo allows: whoever asks for the whole world cell by cell must not use it up for everybody. */
const PER_SECOND = 10;
const LONGEST_QUEUE = 20;

/** What Open-Meteo's free service allows in a day, for all our users together. */
const PER_DAY = Number(Deno.env.get('WEATHER_PER_DAY') ?? 10_000);

/** The day (UTC) whose calls are all made: nothing is asked any more until the next one. */
let usedUp = '';

/** @throws HttpError 503 where the service must not be asked now */
async function turn(): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const enough = new HttpError(503, 'No more weather today');
  if (usedUp === day) throw enough;
  try {
    await takeTurn(serviceClient(), 'weather', PER_SECOND, LONGEST_QUEUE, PER_DAY);
  } catch (error) {
    if (error instanceof QueueFullError) throw new HttpError(503, 'Too many places right now');
    if (!(error instanceof DayUsedError)) throw error;
    usedUp = day;
    console.warn(`weather: the ${String(PER_DAY)} calls of ${day} are made; none until tomorrow`);
    throw enough;
  }
}

async function forecast(cell: string): Promise<object> {
  await turn();
  const [latitude = '', longitude = ''] = cell.split(',');
  const url = new URL('/v1/forecast', Deno.env.get('WEATHER_URL') ?? 'https://api.open-meteo.com');
  url.search = String(
    new URLSearchParams({
      latitude,
      longitude,
      hourly: 'temperature_2m,precipitation_probability,weathercode',
      timezone: 'auto',
      forecast_days: '1',
    }),
  );
  const { timezone, utc_offset_seconds, hourly } = (await askOutside(url)) as Record<
    string,
    unknown
  >;
  return { timezone, utc_offset_seconds, hourly };
}

// Askings for the same cell while one is under way wait for that one.
const cells = new LRUCache<string, object>({ max: 2000, ttl: MINUTE, fetchMethod: forecast });

const snap = (value: number): string =>
  (Math.round(value / CELL_DEGREES) * CELL_DEGREES).toFixed(2);

serve('GET', async (request) => {
  const query = new URL(request.url).searchParams;
  const latitude = degrees(query.get('latitude'), 90);
  const longitude = degrees(query.get('longitude'), 180);
  const found = await cells.fetch(`${snap(latitude)},${snap(longitude)}`);
  return json(found, 200, { 'cache-control': 'private, max-age=60' });
});
