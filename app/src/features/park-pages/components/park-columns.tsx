// One column on a phone, life first; two on a desktop, with life and below it the facts at the end of the row.
import type { ReactNode } from 'react';
import styles from './park-columns.module.css';

interface ParkColumnsProps {
  /** Above both: the gallery. */
  top?: ReactNode;
  main: ReactNode;
  side: ReactNode;
  /** What the park is: last on a phone. */
  about: ReactNode;
}

export const ParkColumns = ({ top, main, side, about }: ParkColumnsProps) => (
  <div className={styles.columns}>
    {top && <div className={styles.top}>{top}</div>}
    <div className={styles.side}>{side}</div>
    <div className={styles.main}>{main}</div>
    <div className={styles.about}>{about}</div>
  </div>
);
