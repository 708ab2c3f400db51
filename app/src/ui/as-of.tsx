// 'As of 14:32': that what stands beside it is not of this moment.
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { formatParkTime } from '#/core/park-time.ts';
import styles from './as-of.module.css';

/** @param moment null: it is of this moment, and nothing is said */
export function AsOf({ moment }: { moment: Date | null }) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  return (
    moment && (
      <p className={styles.line}>{t('ui.asOf', { time: formatParkTime(moment, locale) })}</p>
    )
  );
}
