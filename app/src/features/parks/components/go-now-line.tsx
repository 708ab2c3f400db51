// 'Go now?' as one line with its main reason; all of them on a tap.
import { ChevronDown, CircleCheck, CircleMinus } from 'lucide-react';
import { GO_NOW_ICONS } from '#/features/parks/components/go-now-icons.ts';
import type { GoNow } from '#/features/parks/go-now.ts';
import { goNowWords, reasonWords } from '#/features/parks/go-now-words.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './go-now-line.module.css';

export function GoNowLine({ answer }: { answer: GoNow }) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  const { line, why } = goNowWords(answer, t, locale);
  return (
    <details className={styles.line} data-verdict={answer.verdict}>
      <summary className={styles.summary}>
        <Icon of={GO_NOW_ICONS[answer.verdict]} />
        <span>
          <strong>{line}</strong>
          {why !== null && <span className={styles.main}>{why}</span>}
        </span>
        <Icon of={ChevronDown} size={18} className={styles.chevron} />
        <span className="visually-hidden">{t('parks.goNow.why')}</span>
      </summary>
      <ul className={styles.reasons}>
        {answer.reasons.map((reason) => (
          <li key={reason.kind} data-good={reason.good}>
            <Icon of={reason.good ? CircleCheck : CircleMinus} size={18} />
            {reasonWords(reason, t, locale)}
          </li>
        ))}
      </ul>
    </details>
  );
}
