// The button, as a <button> and as a router link with the same look.
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import { whileBusy } from '#/ui/while-busy.ts';
import styles from './button.module.css';

interface Look {
  /** primary: the main action; secondary: outlined; quiet: text only; danger: cannot be undone. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  icon?: LucideIcon;
  /** True if the icon points in a direction and is mirrored in RTL. */
  directionalIcon?: boolean;
  wide?: boolean;
  children: ReactNode;
}

type Native<Tag extends 'a' | 'button'> = Omit<ComponentProps<Tag>, 'children'>;

const drawn = ({
  variant = 'primary',
  icon,
  directionalIcon = false,
  wide,
  className,
  children,
  ...rest
}: Look & { className?: string | undefined }) => ({
  ...rest,
  className: classNames(styles.button, styles[variant], wide && styles.wide, className),
  children: (
    <span className={styles.inside}>
      {icon && <Icon of={icon} directional={directionalIcon} />}
      {children}
    </span>
  ),
});

interface ButtonProps extends Look, Native<'button'> {
  /** True while its action is running: it keeps its size and focus and ignores clicks. */
  busy?: boolean;
}

export function Button({
  busy = false,
  className,
  onClick,
  type = 'button',
  ...look
}: ButtonProps) {
  const { children, ...rest } = drawn({
    ...look,
    className: classNames(busy && styles.busy, className),
  });
  return (
    <button {...rest} type={type} {...whileBusy(busy, onClick)}>
      {children}
      {busy && <span className={styles.dots} aria-hidden />}
    </button>
  );
}

/** An ordinary link (another site, mailto:, a file) that looks like a button. */
export const ButtonAnchor = (props: Look & Native<'a'>) => <a {...drawn(props)} />;

export const ButtonLink = createLink(ButtonAnchor);
