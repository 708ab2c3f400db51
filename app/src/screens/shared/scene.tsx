// A drawing of a park's current state from cached data, without requests.
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import {
  currentReading,
  weatherType,
  type WeatherType,
} from '../../../../shared/verdict/forecast.ts';
import { weatherQueryOptions } from '#/features/weather/queries/weather.ts';
import type { LatLong } from '#/core/distance.ts';
import { sunPhase } from '#/core/sun.ts';
import { useShownTime } from '#/core/shown-time.ts';
import { ParkScene, type SceneSky } from '#/entities/parks/park-scene.tsx';

const SKIES: Partial<Record<WeatherType, SceneSky>> = {
  cloudy: 'clouds',
  fog: 'clouds',
  lightRain: 'rain',
  heavyRain: 'rain',
  thunderstorm: 'rain',
};

interface SceneProps extends Pick<ComponentProps<typeof ParkScene>, 'wide' | 'size' | 'avatars'> {
  place: LatLong;
  /** Dogs there now. */
  dogs: number;
}

export function Scene({ place, dogs, ...more }: SceneProps) {
  const moment = new Date(useShownTime().timestamp);
  const { data } = useQuery({ ...weatherQueryOptions(place), enabled: false });
  const reading = data && currentReading(data, moment);
  const sky = reading ? (SKIES[weatherType(reading.weatherCode)] ?? 'clear') : null;
  return <ParkScene phase={sunPhase(moment, place)} sky={sky} dogs={dogs} {...more} />;
}
