// The verdict on whether to go now, as one line with the main reason. A tap shows all reasons.
import { ChevronDown, CircleCheck, CircleMinus } from 'lucide-react';
import { useShownTime } from '#/core/shown-time.ts';
import { VERDICT_ICONS } from '#/features/verdicts/components/verdict-icons.ts';
import type { Verdict } from '../../../../../shared/verdict/verdict.ts';
import { verdictLabel, reasonLabel } from '#/features/verdicts/verdict-label.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './verdict-details.module.css';

export function VerdictDetails({ verdict }: { verdict: Verdict }) {
  const t = useT();
  const locale = useLocale();
  const { line, why } = verdictLabel(verdict, t, locale, useShownTime().isNow);
  return (
    <details className={styles.line} data-verdict={verdict.type}>
      <summary className={styles.summary}>
        <Icon of={VERDICT_ICONS[verdict.type]} />
        <span>
          <strong>{line}</strong>
          {why !== null && <span className={styles.main}>{why}</span>}
        </span>
        <Icon of={ChevronDown} size={18} className={styles.chevron} />
        <span className="visually-hidden">{t('parks.goNow.why')}</span>
      </summary>
      <ul className={styles.reasons}>
        {verdict.reasons.map((reason) => (
          <li key={reason.type} className="row-2" data-good={reason.good}>
            <Icon of={reason.good ? CircleCheck : CircleMinus} size={18} />
            {reasonLabel(reason, t, locale)}
          </li>
        ))}
      </ul>
    </details>
  );
}
