// How many dogs are usually at a park, by hour, on weekdays and on the weekend.
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { BusyHour } from '#/features/parks/go-now.ts';
import { parkKeys } from '#/data/park-keys.ts';
import { unwrap } from '#/i18n/errors.ts';
import { supabase } from '#/data/supabase.ts';

/** 48 rows. @throws {AppError} */
export async function fetchBusyHours(parkId: number): Promise<BusyHour[]> {
  const client = await supabase();
  return unwrap(
    await client
      .rpc('park_busy_hours', { p_park_id: parkId })
      .overrideTypes<Pick<BusyHour, 'day_kind'>[]>(),
  );
}

export const busyHoursQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.busyHours(parkId),
    queryFn: () => fetchBusyHours(parkId),
    meta: { sameForAll: true },
  });

export function useBusyHours(parkId: number) {
  return useQuery(busyHoursQueryOptions(parkId));
}
