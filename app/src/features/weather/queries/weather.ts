// The forecast of a place, from the host's cache of the weather service.
import { queryOptions, useQuery } from '@tanstack/react-query';
import * as v from 'valibot';
import {
  forecastCell,
  forecastSchema,
  type Forecast,
} from '../../../../../shared/verdict/forecast.ts';
import type { LatLong } from '#/core/distance.ts';
import { fetchPublicFunction } from '#/data/public-requests.ts';
import { STALE } from '#/data/stale.ts';

/** @throws AppError, or a ValiError if the response is malformed */
export function weatherQueryOptions(place: LatLong) {
  const [latitude, longitude] = forecastCell(place);
  return queryOptions({
    queryKey: ['weather', latitude, longitude],
    meta: { sameForAll: true },
    queryFn: async (): Promise<Forecast> => {
      const parameters = { latitude, longitude };
      try {
        return v.parse(forecastSchema, await fetchPublicFunction('weather', parameters));
      } catch (error) {
        console.warn('No weather:', error);
        throw error;
      }
    },
    staleTime: STALE.minute,
    gcTime: STALE.minute,
    refetchInterval: STALE.minute,
    retry: false,
  });
}

/** Returns undefined after a failure, which is only logged, because the screen shows no error for it. */
export const useWeather = (place: LatLong): Forecast | undefined =>
  useQuery(weatherQueryOptions(place)).data;
