// The reason that sets a park apart, in three words.
import { apartWords } from '#/features/verdicts/apart-words.ts';
import type { Apart } from '#/features/verdicts/ranking.ts';
import { useLocale, useT } from '#/i18n/i18n.ts';
import styles from './verdict-line.module.css';

export function ApartLine({ apart }: { apart: Apart }) {
  const words = apartWords(apart, useT(), useLocale());
  return words !== null && <span className={styles.verdict}>{words}</span>;
}
