// The walking route between two places, from the host's routing service.
import { queryOptions } from '@tanstack/react-query';
import * as v from 'valibot';
import type { LatLong } from '#/core/distance.ts';
import { getFromFunction } from '#/data/functions.ts';

const routeSchema = v.object({
  /** Height in metres. */
  distance: v.number(),
  /** Seconds. */
  duration: v.number(),
  /** Latitude and longitude of each point. */
  path: v.pipe(v.array(v.tuple([v.number(), v.number()])), v.minLength(2)),
});

export type Route = v.InferOutput<typeof routeSchema>;

const text = ({ lat, long }: LatLong): string => `${lat.toFixed(5)},${long.toFixed(5)}`;

/** @throws AppError, or a ValiError for an invalid response */
export const routeQueryOptions = (from: LatLong, to: LatLong) =>
  queryOptions({
    queryKey: ['route', text(from), text(to)],
    meta: { sameForAll: true },
    queryFn: async ({ signal }): Promise<Route> =>
      v.parse(
        routeSchema,
        await getFromFunction('route', { from: text(from), to: text(to) }, signal),
      ),
    retry: false,
  });
