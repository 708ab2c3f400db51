// A round button with only an icon, and a router link with the same look; a translated label is required.
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { classNames } from '#/ui/class-names.ts';
import { Icon, type LucideIcon } from '#/ui/icon.tsx';
import { whileBusy } from '#/ui/while-busy.ts';
import styles from './icon-button.module.css';

interface Look {
  /** Translated; read aloud and shown as a tooltip. */
  label: string;
  icon: LucideIcon;
  /** plain: on a page; raised: floats over a map or photo; accent: selected, in the colour of a tennis ball. */
  variant?: 'plain' | 'raised' | 'accent';
  /** True to fill the icon, for a toggled heart or star. */
  filled?: boolean;
  directional?: boolean;
  size?: number;
}

type Native<Tag extends 'a' | 'button'> = Omit<
  ComponentProps<Tag>,
  'children' | 'aria-label' | 'title'
>;

const drawn = ({
  label,
  icon,
  variant = 'plain',
  filled = false,
  directional = false,
  size = 22,
  className,
  ...rest
}: Look & { className?: string | undefined }) => ({
  ...rest,
  'aria-label': label,
  title: label,
  className: classNames(styles.button, styles[variant], filled && styles.filled, className),
  children: <Icon of={icon} size={size} directional={directional} />,
});

interface IconButtonProps extends Look, Native<'button'> {
  /** True while its action is running: it keeps its focus and ignores clicks. */
  busy?: boolean;
}

export function IconButton({
  type = 'button',
  busy = false,
  disabled,
  onClick,
  ...rest
}: IconButtonProps) {
  return <button type={type} {...whileBusy(busy, onClick, disabled)} {...drawn(rest)} />;
}

const IconAnchor = (props: Look & Native<'a'>) => <a {...drawn(props)} />;

export const IconLink = createLink(IconAnchor);
