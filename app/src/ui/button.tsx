// The button, as <button> and as a router link that looks like one.
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import { whileBusy } from '#/ui/while-busy.ts';
import styles from './button.module.css';

interface Look {
  /** primary: the one thing to do here; secondary: outlined; quiet: text only; danger: cannot be undone. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  icon?: LucideIcon;
  /** The icon points somewhere, so it is mirrored under RTL. */
  directionalIcon?: boolean;
  wide?: boolean;
  children: ReactNode;
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'children'> {
  /** Something this button started is under way: it keeps its size and focus and takes no second click. */
  busy?: boolean;
}

export const Button = ({
  variant = 'primary',
  icon,
  directionalIcon,
  wide,
  busy = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type}
    {...whileBusy(busy, onClick)}
    className={classNames(
      styles.button,
      styles[variant],
      wide && styles.wide,
      busy && styles.busy,
      className,
    )}
  >
    <Inside icon={icon} directionalIcon={directionalIcon}>
      {children}
    </Inside>
    {busy && <span className={styles.dots} aria-hidden />}
  </button>
);

type AnchorProps = Look & Omit<ComponentProps<'a'>, 'children'>;

/** An ordinary link (another site, mailto:, a file) that looks like a button. */
export const ButtonAnchor = ({
  variant = 'primary',
  icon,
  directionalIcon,
  wide,
  className,
  children,
  ...rest
}: AnchorProps) => (
  <a
    {...rest}
    className={classNames(styles.button, styles[variant], wide && styles.wide, className)}
  >
    <Inside icon={icon} directionalIcon={directionalIcon}>
      {children}
    </Inside>
  </a>
);

export const ButtonLink = createLink(ButtonAnchor);

function Inside({
  icon,
  directionalIcon = false,
  children,
}: {
  icon: LucideIcon | undefined;
  directionalIcon: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <span className={styles.inside}>
      {icon && <Icon of={icon} directional={directionalIcon} />}
      {children}
    </span>
  );
}
