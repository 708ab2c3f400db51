// A screen with a short message in the middle.
import type { ReactNode } from 'react';
import styles from './centered-screen.module.css';

export const CenteredScreen = ({ children }: { children: ReactNode }) => (
  <div className={styles.screen}>{children}</div>
);
