// The weather badge with temperature and chance of rain, shown if rain is expected. A tap shows the next hours.
import {
  ChevronDown,
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
import { useState } from 'react';
import { useWeather } from '#/features/weather/queries/weather.ts';
import { WeatherCredit } from '#/features/weather/components/weather-credit.tsx';
import {
  currentReading,
  expectsRain,
  readingsFrom,
  type WeatherReading,
  type WeatherType,
  weatherType,
} from '../../../../../shared/verdict/forecast.ts';
import { formatDegrees, formatPercent } from '#/features/weather/weather-formats.ts';
import { formatHour } from '../../../../../shared/park-time.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import type { LatLong } from '#/core/distance.ts';
import { useNow } from '#/core/use-now.ts';
import { classNames } from '#/ui/class-names.ts';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import styles from './weather-badge.module.css';

const WEATHER_ICONS: Record<WeatherType, LucideIcon> = {
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

/** Number of hours in the expanded badge, including the current one. */
const HOURS_AHEAD = 5;

/** Renders nothing if the forecast is missing or no rain is expected. */
export default function WeatherBadge({ place }: { place: LatLong }) {
  const t = useT();
  const [expanded, setExpanded] = useState(false);
  const forecast = useWeather(place);
  // The current time is updated, because the hour may change while the badge is shown.
  const now = new Date(useNow(60_000));
  const reading = forecast ? currentReading(forecast, now) : null;
  if (forecast && !reading) console.warn('The forecast lacks the current hour');
  if (!forecast || !reading || !expectsRain(reading)) return null;

  const type = weatherType(reading.weatherCode);
  return (
    <section className={classNames(styles.badge, expanded && styles.expanded)}>
      <button
        type="button"
        className={styles.summary}
        aria-expanded={expanded}
        onClick={() => setExpanded(!expanded)}
      >
        <Icon of={WEATHER_ICONS[type]} className={styles.icon} />
        <span className="visually-hidden">{t('weather.badge')}</span>
        <span className="strong">{formatDegrees(reading.temperature)}</span>
        <span className="note" aria-hidden>
          {formatPercent(reading.rain)}
        </span>
        <span className="visually-hidden">
          {t('weather.rain', { chance: formatPercent(reading.rain) })}
        </span>
        <Icon of={ChevronDown} size={16} className={styles.chevron} />
      </button>
      {expanded && (
        <div className={styles.more}>
          <p className={styles.type}>{t(`weather.${type}`)}</p>
          <WeatherHours readings={readingsFrom(forecast, now).slice(0, HOURS_AHEAD)} />
          <WeatherCredit />
        </div>
      )}
    </section>
  );
}

function WeatherHours({ readings }: { readings: readonly WeatherReading[] }) {
  const t = useT();
  const locale = useLocale();
  return (
    <ol className={styles.hours}>
      {readings.map((reading) => {
        const type = weatherType(reading.weatherCode);
        return (
          <li key={reading.hour} className={styles.hour}>
            <span>{formatHour(reading.hour, locale)}</span>
            <Icon of={WEATHER_ICONS[type]} />
            <span className="visually-hidden">{t(`weather.${type}`)}</span>
            <span>{formatDegrees(reading.temperature)}</span>
            <span className="soft">{formatPercent(reading.rain)}</span>
          </li>
        );
      })}
    </ol>
  );
}
