// The verdict as an icon and one line.
import { useShownTime } from '#/core/shown-time.ts';
import { VERDICT_ICONS } from '#/features/verdicts/components/verdict-icons.ts';
import type { Verdict } from '../../../../../shared/verdict/verdict.ts';
import { verdictLabel } from '#/features/verdicts/verdict-label.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './verdict-line.module.css';

export function VerdictLine({ verdict }: { verdict: Verdict }) {
  const t = useT();
  const locale = useLocale();
  return (
    <span className={styles.verdict} data-verdict={verdict.type}>
      <Icon of={VERDICT_ICONS[verdict.type]} size={18} />
      {verdictLabel(verdict, t, locale, useShownTime().isNow).line}
    </span>
  );
}
