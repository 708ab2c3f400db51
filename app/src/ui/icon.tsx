// One style for all icons: lucide, 1.75 px stroke, hidden from screen readers because the control has a label.
import type { LucideIcon } from 'lucide-react';
import { classNames } from '#/ui/class-names.ts';
import styles from './icon.module.css';

export type { LucideIcon };

interface IconProps {
  of: LucideIcon;
  size?: number;
  /** True if it points in a direction and is mirrored in RTL. */
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
