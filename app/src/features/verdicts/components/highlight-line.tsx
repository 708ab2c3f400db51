// The highlight that distinguishes a park from nearby parks, in about three words.
import { highlightLabel } from '#/features/verdicts/highlight-label.ts';
import type { Highlight } from '#/features/verdicts/ranking.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import styles from './verdict-line.module.css';

export function HighlightLine({ highlight }: { highlight: Highlight }) {
  const label = highlightLabel(highlight, useT(), useLocale());
  return label !== null && <span className={styles.verdict}>{label}</span>;
}
