// One look for all icons: lucide, 1.75 px stroke, hidden from screen readers (the control's label speaks).
import type { LucideIcon } from 'lucide-react';
import { classNames } from '#/ui/class-names.ts';
import styles from './icon.module.css';

export type { LucideIcon };

interface IconProps {
  of: LucideIcon;
  size?: number;
  /** Points somewhere (arrow, back, next): mirrored under RTL. */
  directional?: boolean;
  className?: string | undefined;
}

export const Icon = ({ of: Drawing, size = 20, directional = false, className }: IconProps) => (
  <Drawing
    aria-hidden
    size={size}
    strokeWidth={1.75}
    className={classNames(styles.icon, directional && styles.directional, className)}
  />
);
