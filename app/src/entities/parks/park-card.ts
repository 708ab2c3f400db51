// What a card shows of a park beside the published list: its photo and its usual hours; the cards of a screen ask together.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createBatch } from '#/core/batch.ts';
import type { DayKind } from '#/core/park-time.ts';
import { parkKeys } from '#/entities/parks/park-keys.ts';
import { fetchPublicRpc } from '#/data/public-rpc.ts';

/** The database answers for at most this many parks at once. */
const MAX_PARKS = 20;
const HOURS = 24;

export interface BusyHour {
  day_kind: DayKind;
  hour: number;
  /** Dogs there on average at that hour. */
  dogs: number;
  /** Days with dogs at that hour; an hour without any is an empty one once the park has a history. */
  samples: number;
}

export interface ParkCard {
  /** Object path in bucket parks; null without a photo. */
  photo: string | null;
  /** Dogs that are usually there on weekdays and on the weekend: 48 rows, or none of a park that is not there. */
  busyHours: BusyHour[];
}

interface CardAnswer {
  photo: string | null;
  hours: [dogs: number, samples: number][];
}

const askTogether = createBatch(async (parkIds: number[]): Promise<ParkCard[]> => {
  // In one order, so that caches know the question again.
  const ids = [...parkIds].sort((a, b) => a - b);
  const answer = (await fetchPublicRpc('park_cards', { p_park_ids: `{${ids}}` })) as Record<
    string,
    CardAnswer
  >;
  return parkIds.map((id) => {
    const { photo = null, hours = [] } = answer[id] ?? {};
    return {
      photo,
      busyHours: hours.map(([dogs, samples], at) => ({
        day_kind: at < HOURS ? 'weekday' : 'weekend',
        hour: at % HOURS,
        dogs,
        samples,
      })),
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
