// The forecast of a place, from the host's cache of the weather service.
import { queryOptions, useQuery } from '@tanstack/react-query';
import * as v from 'valibot';
import { forecastSchema, type Forecast } from '#/features/weather/forecast.ts';
import type { LatLong } from '#/core/distance.ts';
import { getFromFunction } from '#/data/functions.ts';
import { STALE } from '#/data/stale.ts';

/** About five kilometres: the service knows no better, near parks share one answer, and the server learns no exact place. */
const cell = (degrees: number): string => (Math.round(degrees * 20) / 20).toFixed(2);

/** @throws AppError, or a ValiError when the answer is no forecast */
export const weatherQueryOptions = ({ lat, long }: LatLong) =>
  queryOptions({
    queryKey: ['weather', cell(lat), cell(long)],
    meta: { sameForAll: true },
    queryFn: async ({ signal }): Promise<Forecast> => {
      const parameters = { latitude: cell(lat), longitude: cell(long) };
      try {
        return v.parse(forecastSchema, await getFromFunction('weather', parameters, signal));
      } catch (error) {
        if (!signal.aborted) console.warn('No weather:', error);
        throw error;
      }
    },
    staleTime: STALE.minute,
    gcTime: STALE.minute,
    refetchInterval: STALE.minute,
    retry: false,
  });

/** A failure is logged and has no data; there is nothing to show for it. */
export const useWeather = (place: LatLong): Forecast | undefined =>
  useQuery(weatherQueryOptions(place)).data;
