// A titled card of the settings, and its rows. Cards that are rarely used are collapsed.
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#/ui/card.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './account.module.css';

interface SettingsProps {
  title: string;
  children: ReactNode;
}

export const SettingsSection = ({ title, children }: SettingsProps) => (
  <Card as="section" className="column-3">
    <h2 className="text-3">{title}</h2>
    {children}
  </Card>
);

export function SettingsRows({ children }: { children: ReactNode }) {
  return <Card className={styles.rows}>{children}</Card>;
}

export const SettingsRow = ({ title, children }: SettingsProps) => (
  <section className={styles.row}>
    <details className={styles.fold}>
      <summary>
        <h2 className="text-3">{title}</h2>
        <Icon of={ChevronDown} />
      </summary>
      <div className="column-3">{children}</div>
    </details>
  </section>
);
