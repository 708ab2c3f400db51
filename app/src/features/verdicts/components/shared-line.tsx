// The verdict or weather that all nearby parks share, shown once above them. If the forecast is missing, a note says so.
import { useShownTime } from '#/core/shown-time.ts';
import type { Shared } from '#/features/verdicts/ranking.ts';
import { reasonLabel, verdictLabel } from '#/features/verdicts/verdict-label.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import styles from './shared-line.module.css';

interface SharedLineProps extends Shared {
  noForecast: boolean;
  /** True if the weather badge already shows rain, which this line then omits. */
  hasRainBadge?: boolean;
}

export function SharedLine(props: SharedLineProps) {
  const { verdict, reason, noForecast, hasRainBadge = false } = props;
  const t = useT();
  const locale = useLocale();
  const { isNow } = useShownTime();
  const { line, why } = verdict
    ? verdictLabel(verdict, t, locale, isNow)
    : { line: null, why: null };
  const parts = [
    line,
    hasRainBadge && (verdict?.type === 'notNow' ? verdict.main : reason)?.type === 'rain'
      ? null
      : (why ?? (reason && reasonLabel(reason, t, locale))),
    // Omit the note if the verdict contains the same text.
    noForecast ? t('parks.goNow.reason.noForecast') : null,
  ].filter((each, at, all) => each !== null && all.indexOf(each) === at);
  return parts.length > 0 && <p className={styles.line}>{parts.join(' · ')}</p>;
}
