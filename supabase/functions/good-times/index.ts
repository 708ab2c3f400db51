// POST good-times: notifies users whose favourite park is good to visit now and for the next hour. Each park is evaluated once for
// all its watchers.
import * as v from 'valibot';
import { requireService, serviceClient, unwrap, type ServiceClient } from '../_shared/clients.ts';
import { json, serve } from '../_shared/serve.ts';
import type { Json } from '../../../shared/database.types.ts';
import type { LatLong } from '../../../shared/lat-long.ts';
import type { ParkFacts } from '../../../shared/park-facts.ts';
import { setParkTime } from '../../../shared/park-time.ts';
import { busyHoursOf } from '../../../shared/verdict/busy-hours.ts';
import { type Forecast, forecastCell, forecastSchema } from '../../../shared/verdict/forecast.ts';
import { type GoodTime, goodTime } from '../../../shared/verdict/good-time.ts';
import {
  applyLiveResponse,
  liveAt,
  type LiveResponse,
} from '../../../shared/verdict/live-counts.ts';

interface Waiting {
  time_zone: string;
  weekend: number[];
  parks: (ParkFacts & LatLong & { id: number })[];
}

type Cards = Record<string, { hours?: [dogs: number, samples: number][] } | undefined>;

/** Maximum number of parks in a call of park_cards. */
const BATCH = 20;
/** Milliseconds, less than the timeout of functions. The next run finds the cached forecasts of this run, so it gets further. */
const RUN_MS = 40_000;

async function forecastOf(client: ServiceClient, cell: string): Promise<Forecast | null> {
  const [latitude = '', longitude = ''] = cell.split(',');
  const query = new URLSearchParams({ latitude, longitude });
  const { data } = await client.functions.invoke<unknown>(`weather?${query}`, { method: 'GET' });
  const parsed = v.safeParse(forecastSchema, data);
  return parsed.success ? parsed.output : null;
}

serve('POST', async (request) => {
  requireService(request);
  const client = serviceClient();
  const end = Date.now() + RUN_MS;
  const waiting = unwrap(await client.rpc('good_time_parks')) as unknown as Waiting;
  const { time_zone, weekend, parks } = waiting;
  if (parks.length === 0) return json({ notified: 0 });
  setParkTime(time_zone, weekend);
  const response = unwrap(await client.rpc('live_counts')) as unknown as LiveResponse;
  const counts = applyLiveResponse(undefined, response, Date.now()).parks;
  const forecasts = new Map<string, Promise<Forecast | null>>();
  const good: Record<number, GoodTime> = {};
  for (let first = 0; first < parks.length && Date.now() < end; first += BATCH) {
    const batch = parks.slice(first, first + BATCH);
    const p_park_ids = batch.map(({ id }) => id);
    const cards = unwrap(await client.rpc('park_cards', { p_park_ids })) as unknown as Cards;
    for (const { id, lat, long, ...facts } of batch) {
      const place = { lat, long };
      const cell = forecastCell(place).join(',');
      const known = forecasts.get(cell) ?? forecastOf(client, cell);
      forecasts.set(cell, known);
      const forecast = await known;
      const found =
        forecast &&
        goodTime(
          {
            moment: new Date(),
            live: liveAt(counts, id),
            hazards: counts[id]?.hazards ?? [],
            facts,
            place,
            busyHours: busyHoursOf(cards[id]?.hours ?? []),
          },
          forecast,
        );
      if (found) good[id] = found;
    }
  }
  const notified = unwrap(
    await client.rpc('notify_of_good_times', { p_parks: good as unknown as Json }),
  );
  return json({ notified });
});
