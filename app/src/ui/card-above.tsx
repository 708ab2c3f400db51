// A card that floats above the bar at the bottom, on every screen: nothing lies under it, however high its words make it.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from '#/ui/class-names.ts';
import styles from './card-above.module.css';

interface CardAboveProps {
  /** Names it for who does not see it. */
  label: string;
  className: string | undefined;
  children: ReactNode;
}

export function CardAbove({ label, className, children }: CardAboveProps) {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => {
      const height = String(card.current?.offsetHeight ?? 0);
      style.setProperty('--card-above', `calc(${height}px + var(--space-3))`);
    });
    if (card.current) sizes.observe(card.current);
    return () => {
      sizes.disconnect();
      style.removeProperty('--card-above');
    };
  }, []);
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
