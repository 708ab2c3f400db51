// A card that floats above the bottom bar of every screen. The page leaves room for its height.
import type { ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { useHeightProperty } from '#/ui/use-height-property.ts';
import styles from './floating-card.module.css';

interface FloatingCardProps {
  /** The accessible name. */
  label: string;
  className: string | undefined;
  /** True if the card has one row, so the cards of the home map stay visible. */
  isRow?: boolean;
  children: ReactNode;
}

export function FloatingCard({ label, className, isRow = false, children }: FloatingCardProps) {
  const card = useHeightProperty<HTMLElement>('--floating-card', 'var(--space-3)');
  return (
    <section
      ref={card}
      className={classNames(styles.card, className)}
      aria-label={label}
      data-floating-card={isRow ? 'row' : 'block'}
    >
      {children}
    </section>
  );
}
