// The verdict where there is room for three words: an icon and the line.
import { GO_NOW_ICONS } from '#/features/parks/components/go-now-icons.ts';
import type { GoNow } from '#/features/parks/go-now.ts';
import { goNowWords } from '#/features/parks/go-now-words.ts';
import { useLanguage, useT } from '#/i18n/i18n.ts';
import { LANGUAGES } from '#/i18n/languages.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './verdict-line.module.css';

export function VerdictLine({ answer }: { answer: GoNow }) {
  const t = useT();
  const { locale } = LANGUAGES[useLanguage()];
  return (
    <span className={styles.verdict} data-verdict={answer.verdict}>
      <Icon of={GO_NOW_ICONS[answer.verdict]} size={18} />
      {goNowWords(answer, t, locale).line}
    </span>
  );
}
