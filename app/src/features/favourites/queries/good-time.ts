// The hours in which the user wants to be notified of a good time at a favourite park.
import { queryOptions } from '@tanstack/react-query';
import { request } from '#/data/request.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import type { GoodHours } from '#/features/favourites/good-hours.ts';

/** The stored hours; null if the user does not want to be notified. */
export const goodTimeQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.goodTime(parkId),
    queryFn: async (): Promise<GoodHours | null> => {
      const row = await request((client) =>
        client.from('favourite_parks').select('good_from, good_to').eq('park_id', parkId).single(),
      );
      return row.good_from === null || row.good_to === null
        ? null
        : { from: row.good_from, to: row.good_to };
    },
  });

/** Saves the hours. @throws {AppError} also if the park has been removed from the favourites */
export async function saveGoodTime(parkId: number, hours: GoodHours | null): Promise<void> {
  await request((client) =>
    client
      .from('favourite_parks')
      .update({ good_from: hours?.from ?? null, good_to: hours?.to ?? null })
      .eq('park_id', parkId)
      .select('park_id')
      .single(),
  );
}
