// GET weather?latitude&longitude: today's weather hour by hour; one call to the service per grid cell and minute.
import { LRUCache } from 'lru-cache';
import { serviceClient } from '../_shared/clients.ts';
import { askOutside, degrees } from '../_shared/outside.ts';
import { HttpError, json, serve } from '../_shared/serve.ts';
import { QueueFullError, takeTurn } from '../_shared/turns.ts';

const MINUTE = 60_000;
/** About 5 km: finer than the forecast's own grid, and no longer the place where somebody stands. */
const CELL_DEGREES = 0.05;
/** What Open-Meteo allows: whoever asks for the whole world cell by cell must not use it up for everybody. */
const PER_SECOND = 10;
const LONGEST_QUEUE = 20;

async function forecast(cell: string): Promise<object> {
  await takeTurn(serviceClient(), 'weather', PER_SECOND, LONGEST_QUEUE).catch((error: unknown) => {
    throw error instanceof QueueFullError ? new HttpError(503, 'Too many places right now') : error;
  });
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
