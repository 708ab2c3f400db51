// A card, which is a box with a background for one item.
import type { ComponentProps, ElementType } from 'react';
import { classNames } from '#/ui/class-names.ts';
import styles from './card.module.css';

interface CardProps extends ComponentProps<'div'> {
  as?: Extract<ElementType, 'div' | 'li' | 'article' | 'section'>;
}

export const Card = ({ as: Element = 'div', className, ...rest }: CardProps) => (
  <Element {...(rest as object)} className={classNames(styles.card, className)} />
);
