// A park's photo and usual hours, which cards show in addition to the list file. Requests of a screen are batched.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createBatch } from '#/core/batch.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { type BusyHour, busyHoursOf } from '../../../../shared/verdict/busy-hours.ts';
import { fetchPublicRpc } from '#/data/public-requests.ts';

/** Maximum number of parks per database call. */
const MAX_PARKS = 20;

export interface ParkCard {
  /** Path of the photo in the parks bucket; null without a photo. */
  photo: string | null;
  /** Usual number of dogs on weekdays and weekends: 48 rows, or none for a missing park. */
  busyHours: BusyHour[];
}

interface CardResponse {
  photo: string | null;
  hours: [dogs: number, samples: number][];
}

const askTogether = createBatch(async (parkIds: number[]): Promise<ParkCard[]> => {
  // Sort the IDs, so that the same parks always have the same URL for HTTP caches.
  const ids = [...parkIds].sort((a, b) => a - b);
  const response = (await fetchPublicRpc('park_cards', { p_park_ids: `{${ids}}` })) as Record<
    string,
    CardResponse
  >;
  return parkIds.map((id) => {
    const { photo = null, hours = [] } = response[id] ?? {};
    return {
      photo,
      busyHours: busyHoursOf(hours),
    };
  });
}, MAX_PARKS);

export const parkCardQueryOptions = (parkId: number) =>
  queryOptions({
    queryKey: parkKeys.card(parkId),
    queryFn: () => askTogether(parkId),
    meta: { sameForAll: true },
  });

export const useBusyHours = (parkId: number) =>
  useQuery({ ...parkCardQueryOptions(parkId), select: ({ busyHours }) => busyHours });
