// A card that floats above the bar at the bottom, on every screen: nothing lies under it, however high its words make it.
import type { ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { useTellHeight } from '#/ui/use-tell-height.ts';
import styles from './card-above.module.css';

interface CardAboveProps {
  /** Names it for who does not see it. */
  label: string;
  className: string | undefined;
  children: ReactNode;
}

export function CardAbove({ label, className, children }: CardAboveProps) {
  const card = useTellHeight<HTMLElement>('--card-above', 'var(--space-3)');
  return (
    <section
      ref={card}
      className={classNames(styles.card, className)}
      aria-label={label}
      data-card-above
    >
      {children}
    </section>
  );
}
