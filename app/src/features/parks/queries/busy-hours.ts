// How many dogs are usually at a park, by hour, on weekdays and on the weekend; the cards of a screen ask together.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createBatch } from '#/core/batch.ts';
import type { BusyHour } from '#/features/parks/go-now.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrapJson } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** The database answers for at most this many parks at once. */
const MOST_PARKS = 20;
const HOURS = 24;

const askTogether = createBatch(async (parkIds: number[]): Promise<BusyHour[][]> => {
  const client = await supabase();
  const answer = unwrapJson<Record<string, [dogs: number, samples: number][]>>(
    await client.rpc('parks_busy_hours', { p_park_ids: parkIds }),
  );
  return parkIds.map((id) =>
    (answer[id] ?? []).map(([dogs, samples], at) => ({
      day_kind: at < HOURS ? 'weekday' : 'weekend',
      hour: at % HOURS,
      dogs,
      samples,
    })),
  );
}, MOST_PARKS);

export const busyHoursQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.busyHours(parkId),
    /** 48 rows, or none of a park that is not there. @throws {AppError} */
    queryFn: () => askTogether(parkId),
    meta: { sameForAll: true },
  });

export function useBusyHours(parkId: number) {
  return useQuery(busyHoursQueryOptions(parkId));
}
