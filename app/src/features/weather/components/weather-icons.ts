// A drawing for each word of the weather.
import {
  Cloud,
  CloudDrizzle,
  CloudFog,
  CloudLightning,
  CloudRain,
  CloudSun,
  Snowflake,
  Sun,
  Thermometer,
} from 'lucide-react';
import type { WeatherWord } from '#/features/weather/forecast.ts';
import type { LucideIcon } from '#/ui/icon.tsx';

export const WEATHER_ICONS: Record<WeatherWord, LucideIcon> = {
  clear: Sun,
  mainlyClear: CloudSun,
  cloudy: Cloud,
  fog: CloudFog,
  lightRain: CloudDrizzle,
  heavyRain: CloudRain,
  thunderstorm: CloudLightning,
  snow: Snowflake,
  unknown: Thermometer,
};
