// Credits the source of the weather data, as its licence requires.
import { useT } from '#/i18n/i18n.ts';
import styles from './weather-credit.module.css';

export function WeatherCredit() {
  const t = useT();
  return (
    <a className={styles.credit} href="https://open-meteo.com/" target="_blank" rel="noreferrer">
      {t('weather.credit')}
    </a>
  );
}
