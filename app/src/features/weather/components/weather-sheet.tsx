// The rest of today and tomorrow's morning by the hour: the sky, how warm it is, the chance of rain, and the ground under the paws.
import { useQuery } from '@tanstack/react-query';
import { WeatherCredit } from '#/features/weather/components/weather-credit.tsx';
import { WEATHER_ICONS } from '#/features/weather/components/weather-icons.ts';
import { readingsFrom, type WeatherReading, weatherWord } from '#/features/weather/forecast.ts';
import { weatherQueryOptions } from '#/features/weather/queries/weather.ts';
import { formatDegrees, formatPercent } from '#/features/weather/weather-formats.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import type { LatLong } from '#/core/distance.ts';
import { formatHour } from '#/core/park-time.ts';
import { useNow } from '#/core/use-now.ts';
import { Icon } from '#/ui/icon.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './weather-sheet.module.css';

interface GroundColumn {
  /** Which ground. */
  label: string;
  /** Null where the sun of that hour is not known. @returns degrees, and what paws say to them where it matters */
  at: (reading: WeatherReading) => { degrees: number; words: string | null } | null;
  /** How sure that is. */
  note: string;
}

/** Tomorrow's hours that people plan for. */
const MORNING = { from: 24 + 5, to: 24 + 12 };

interface WeatherSheetProps {
  place: LatLong;
  ground: GroundColumn;
  onClose: () => void;
}

export function WeatherSheet({ place, ground, onClose }: WeatherSheetProps) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const { data: forecast, isPending } = useQuery(weatherQueryOptions(place));
  const now = new Date(useNow(60_000));
  const rows = (forecast ? readingsFrom(forecast, now) : [])
    .filter(({ hour }) => hour < 24 || (hour >= MORNING.from && hour <= MORNING.to))
    .map((reading) => ({ reading, ground: ground.at(reading) }));
  const hasGround = rows.some((row) => row.ground !== null);
  return (
    <Sheet open onClose={onClose} title={t('weather.hours.title')}>
      {isPending ? (
        <Skeleton height="16rem" />
      ) : rows.length === 0 ? (
        <p>{t('weather.hours.none')}</p>
      ) : (
        <div className={styles.content}>
          <table className={styles.hours}>
            <thead>
              <tr>
                <th scope="col">{t('weather.hours.hour')}</th>
                <th scope="col">{t('weather.hours.sky')}</th>
                <th scope="col">{t('weather.hours.air')}</th>
                <th scope="col">{t('weather.hours.rain')}</th>
                {hasGround && <th scope="col">{ground.label}</th>}
              </tr>
            </thead>
            {[
              { name: null, rows: rows.filter(({ reading }) => reading.hour < 24) },
              {
                name: t('weather.hours.tomorrow'),
                rows: rows.filter(({ reading }) => reading.hour >= 24),
              },
            ].map((day) => (
              <tbody key={day.name}>
                {day.name !== null && day.rows.length > 0 && (
                  <tr>
                    <th scope="rowgroup" colSpan={hasGround ? 5 : 4} className={styles.day}>
                      {day.name}
                    </th>
                  </tr>
                )}
                {day.rows.map(({ reading, ground: found }) => {
                  const word = weatherWord(reading.weatherCode);
                  return (
                    <tr key={reading.hour}>
                      <th scope="row">{formatHour(reading.hour, locale)}</th>
                      <td>
                        <Icon of={WEATHER_ICONS[word]} />
                        <span className="visually-hidden">{t(`weather.${word}`)}</span>
                      </td>
                      <td>{formatDegrees(reading.temperature)}</td>
                      <td>{formatPercent(reading.precipitationProbability)}</td>
                      {hasGround && (
                        <td>
                          {found && formatDegrees(found.degrees)}{' '}
                          {found?.words && <span className={styles.level}>{found.words}</span>}
                        </td>
                      )}
                    </tr>
                  );
                })}
              </tbody>
            ))}
          </table>
          {hasGround && <p className={styles.small}>{ground.note}</p>}
          <WeatherCredit />
        </div>
      )}
    </Sheet>
  );
}
