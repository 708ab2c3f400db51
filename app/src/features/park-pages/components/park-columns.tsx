// One column on a phone, which starts with the live status. Two columns on a desktop, with the live status above the facts in the
// second one.
import type { ReactNode } from 'react';
import styles from './park-columns.module.css';

interface ParkColumnsProps {
  /** The gallery, above the main column. */
  top?: ReactNode;
  main: ReactNode;
  side: ReactNode;
  /** The park's facts, which are last on a phone. */
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
