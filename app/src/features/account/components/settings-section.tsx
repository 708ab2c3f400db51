// A titled card of the settings; what is seldom wanted is folded under its title.
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#/ui/card.tsx';
import { classNames } from '#/ui/class-names.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './account.module.css';

interface SettingsSectionProps {
  title: string;
  folded?: boolean;
  children: ReactNode;
}

export function SettingsSection({ title, folded = false, children }: SettingsSectionProps) {
  const heading = <h2 className="text-3">{title}</h2>;
  return (
    <Card as="section" className={classNames(styles.section, folded && styles.folded)}>
      {folded ? (
        <details className={styles.fold}>
          <summary>
            {heading}
            <Icon of={ChevronDown} />
          </summary>
          <div className={styles.section}>{children}</div>
        </details>
      ) : (
        <>
          {heading}
          {children}
        </>
      )}
    </Card>
  );
}
