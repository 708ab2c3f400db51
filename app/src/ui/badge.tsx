// A badge with a count: nothing for 0, 99+ above 99.
import { classNames } from '#/ui/class-names.ts';
import styles from './badge.module.css';

interface BadgeProps {
  count: number;
  /** Translated, with the exact number, for example '120 new notifications'. */
  label: string;
  className?: string | undefined;
}

/** '7', '99+' above 99, or null if nothing is shown. */
export function badgeText(count: number): string | null {
  if (count <= 0) return null;
  return count > 99 ? '99+' : String(count);
}

export function Badge({ count, label, className }: BadgeProps) {
  const text = badgeText(count);
  return (
    text !== null && (
      <span className={classNames(styles.badge, className)}>
        <span aria-hidden>{text}</span>
        <span className="visually-hidden">{label}</span>
      </span>
    )
  );
}
