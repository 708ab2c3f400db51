// A round button with only an icon; its translated label is required.
import type { ComponentProps } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import styles from './icon-button.module.css';

interface IconButtonProps extends Omit<
  ComponentProps<'button'>,
  'children' | 'aria-label' | 'title'
> {
  /** Translated: what the button does; read aloud and shown as a tooltip. */
  label: string;
  icon: LucideIcon;
  /** plain: on a page; raised: floats over a map or photo; accent: selected, in the colour of a tennis ball. */
  variant?: 'plain' | 'raised' | 'accent';
  /** Filled drawing, for a toggled heart or star. */
  filled?: boolean;
  directional?: boolean;
  size?: number;
}

export function IconButton({
  label,
  icon,
  variant = 'plain',
  filled = false,
  directional = false,
  size = 22,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(styles.button, styles[variant], filled && styles.filled, className)}
    >
      <Icon of={icon} size={size} directional={directional} />
    </button>
  );
}
