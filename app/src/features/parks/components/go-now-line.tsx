// 'Go now?' as one line with its main reason; all of them on a tap.
import { ChevronDown, CircleCheck, CircleMinus, Clock, PawPrint } from 'lucide-react';
import { goNow, mainReason, type GoNowInput, type GoNowReason } from '#/features/parks/go-now.ts';
import { useLanguage, useT, type Translate } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { formatHour } from '#/core/park-time.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './go-now-line.module.css';

const ICONS = { goodNow: CircleCheck, betterLater: Clock, quietWindow: PawPrint };

export function GoNowLine(input: GoNowInput) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const answer = goNow(input);
  const { verdict, hour, reasons } = answer;
  const main = mainReason(answer);
  const line =
    hour === null || verdict === 'goodNow'
      ? t(`parks.goNow.${verdict}`)
      : t(`parks.goNow.${verdict}At`, { hour: formatHour(hour, locale) });
  return (
    <details className={styles.line} data-verdict={verdict}>
      <summary className={styles.summary}>
        <Icon of={ICONS[verdict]} />
        <span>
          <strong>{line}</strong>
          {main && <span className={styles.main}>{reasonText(main, t)}</span>}
        </span>
        <Icon of={ChevronDown} size={18} className={styles.chevron} />
        <span className="visually-hidden">{t('parks.goNow.why')}</span>
      </summary>
      <ul className={styles.reasons}>
        {reasons.map((reason) => (
          <li key={reason.kind} data-good={reason.good}>
            <Icon of={reason.good ? CircleCheck : CircleMinus} size={18} />
            {reasonText(reason, t)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function reasonText(reason: GoNowReason, t: Translate): string {
  switch (reason.kind) {
    case 'gateClosed':
    case 'underConstruction':
    case 'muddy':
    case 'brokenFountain':
      return t(`liveReports.condition.${reason.kind}`);
    case 'rain':
      return t('parks.goNow.reason.rain', { percent: reason.percent });
    case 'heat':
    case 'cold':
    case 'mild':
      return t(`parks.goNow.reason.${reason.kind}`, { temperature: reason.temperature });
    case 'dogs':
      return t('parks.dogsNow', { count: reason.dogs });
    default:
      return t(`parks.goNow.reason.${reason.kind}`);
  }
}
