// The warning of the day over the map: asphalt that burns paws, from when until when; hidden for the day with one tap.
import { PawPrint, X } from 'lucide-react';
import { useState } from 'react';
import { hotAsphalt } from '#/features/verdicts/ground-temperature.ts';
import { useWeather } from '#/features/weather/queries/weather.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import type { LatLong } from '#/core/distance.ts';
import { formatHour, parkClock } from '#/core/park-time.ts';
import { useNow } from '#/core/use-now.ts';
import { readLocal, writeLocal } from '#/platform/local-settings.ts';
import { hoursAhead } from '#/features/weather/forecast.ts';
import { Icon } from '#/ui/icon.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import styles from './ground-warning.module.css';

export default function GroundWarning({ place }: { place: LatLong }) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const moment = new Date(useNow(60_000));
  const today = String(parkClock(moment).day);
  const [hidden, setHidden] = useState(() => readLocal('groundWarning'));
  const hot = hotAsphalt(hoursAhead(useWeather(place), moment));
  if (!hot || hidden === today) return null;
  return (
    <section className={styles.warning}>
      <Icon of={PawPrint} className={styles.icon} />
      <p>
        {t('parks.paws.warning', {
          from: formatHour(hot.from, locale),
          to: formatHour(hot.to, locale),
        })}
      </p>
      <IconButton
        icon={X}
        label={t('parks.paws.warningClose')}
        onClick={() => {
          writeLocal('groundWarning', today);
          setHidden(today);
        }}
      />
    </section>
  );
}
