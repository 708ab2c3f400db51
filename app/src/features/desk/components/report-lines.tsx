// What was reported, a line for each reason or report.
import { fill, textOf, useDeskText } from '#/features/desk/desk-text.ts';
import styles from './desk.module.css';

interface ReportLine {
  reason: string;
  /** How many said so. */
  count?: number;
  note?: string | null;
}

export function ReportLines({ reports }: { reports: readonly ReportLine[] }) {
  const text = useDeskText();
  return (
    <ul className={styles.lines}>
      {reports.map(({ reason, count = 1, note }, index) => (
        <li key={index}>
          {textOf(text.reasons, reason)} {count > 1 && fill(text.item.times, { count })}
          {note && (
            <span dir="auto" className={styles.note}>
              {note}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
