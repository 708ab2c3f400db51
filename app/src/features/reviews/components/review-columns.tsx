// The summary above the reviews on a phone, beside them on a desktop.
import type { ReactNode } from 'react';
import styles from './review-columns.module.css';

export function ReviewColumns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}
