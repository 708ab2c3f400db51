// Explains a permission before the device prompts for it.
import { type ReactNode, useId } from 'react';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import styles from './permission-card.module.css';

interface PermissionCardProps {
  icon: LucideIcon;
  title: string;
  text: string;
  children: ReactNode;
}

export function PermissionCard({ icon, title, text, children }: PermissionCardProps) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <Icon of={icon} size={28} className={styles.icon} />
      <div>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <p className="note">{text}</p>
      </div>
      <div className={styles.actions}>{children}</div>
    </section>
  );
}
