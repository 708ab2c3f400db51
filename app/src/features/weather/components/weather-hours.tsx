// The hours ahead, one column each.
import { WEATHER_ICONS } from '#/features/weather/components/weather-icons.ts';
import { weatherWord, type WeatherReading } from '#/features/weather/forecast.ts';
import { useWeatherFormats } from '#/features/weather/use-weather-formats.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { formatHour } from '#/core/park-time.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './weather-hours.module.css';

export function WeatherHours({ readings }: { readings: readonly WeatherReading[] }) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const { degrees, percent } = useWeatherFormats();
  return (
    <ol className={styles.hours}>
      {readings.map((reading) => {
        const word = weatherWord(reading.weatherCode);
        return (
          <li key={reading.time} className={styles.hour}>
            <span>{formatHour(Number(reading.time.slice(11, 13)), locale)}</span>
            <Icon of={WEATHER_ICONS[word]} />
            <span className="visually-hidden">{t(`weather.${word}`)}</span>
            <span>{degrees(reading.temperature)}</span>
            <span className={styles.rain}>{percent(reading.precipitationProbability)}</span>
          </li>
        );
      })}
    </ol>
  );
}
