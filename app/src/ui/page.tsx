// The column that a screen's content stands in.
import type { ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import styles from './page.module.css';

interface PageProps {
  /** narrow: forms and reading; medium: lists; wide: grids. */
  width?: 'narrow' | 'medium' | 'wide';
  className?: string | undefined;
  children: ReactNode;
}

export function Page({ width = 'medium', className, children }: PageProps) {
  return <div className={classNames(styles.page, styles[width], className)}>{children}</div>;
}
