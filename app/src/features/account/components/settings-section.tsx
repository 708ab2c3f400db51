// A titled card of the settings.
import type { ReactNode } from 'react';
import { Card } from '#/ui/card.tsx';
import styles from './account.module.css';

export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" className={styles.section}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </Card>
  );
}
