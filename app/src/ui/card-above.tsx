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
    const root = document.documentElement;
    root.toggleAttribute('data-card-above', true);
    const sizes = new ResizeObserver(() => {
      const height = String(card.current?.offsetHeight ?? 0);
      root.style.setProperty('--card-above', `calc(${height}px + var(--space-3))`);
    });
    if (card.current) sizes.observe(card.current);
    return () => {
      sizes.disconnect();
      root.style.removeProperty('--card-above');
      root.toggleAttribute('data-card-above', false);
    };
  }, []);
  return (
    <section ref={card} className={classNames(styles.card, className)} aria-label={label}>
      {children}
    </section>
  );
}
