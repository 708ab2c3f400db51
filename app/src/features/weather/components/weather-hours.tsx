// The hours ahead, one column each.
import { WEATHER_ICONS } from '#/features/weather/components/weather-icons.ts';
import { weatherWord, type WeatherReading } from '#/features/weather/forecast.ts';
import { formatDegrees, formatPercent } from '#/features/weather/weather-formats.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { formatHour } from '#/core/park-time.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './weather-hours.module.css';

export function WeatherHours({ readings }: { readings: readonly WeatherReading[] }) {
  const t = useT();
  const locale = useLocale();
  return (
    <ol className={styles.hours}>
      {readings.map((reading) => {
        const word = weatherWord(reading.weatherCode);
        return (
          <li key={reading.hour} className={styles.hour}>
            <span>{formatHour(reading.hour, locale)}</span>
            <Icon of={WEATHER_ICONS[word]} />
            <span className="visually-hidden">{t(`weather.${word}`)}</span>
            <span>{formatDegrees(reading.temperature)}</span>
            <span className="soft">{formatPercent(reading.rain)}</span>
          </li>
        );
      })}
    </ol>
  );
}
