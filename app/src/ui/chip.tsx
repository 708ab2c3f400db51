// A small label in a rounded shape. It is not a control; for choices see chip-group.
import type { ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import styles from './chip.module.css';

interface ChipProps {
  icon?: LucideIcon;
  tone?: 'neutral' | 'park' | 'sand' | 'alert' | 'sky' | 'ball';
  className?: string | undefined;
  children: ReactNode;
}

export const Chip = ({ icon, tone = 'neutral', className, children }: ChipProps) => (
  <span className={classNames(styles.chip, styles[tone], className)}>
    {icon && <Icon of={icon} size={16} />}
    <span>{children}</span>
  </span>
);
