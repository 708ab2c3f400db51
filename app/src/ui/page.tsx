// The column with a screen's content.
import type { ReactNode } from 'react';
import { classNames } from '#/ui/class-names.ts';
import styles from './page.module.css';

interface PageProps {
  /** 'narrow' is for forms and text, 'medium' for lists, 'wide' for grids. */
  width?: 'narrow' | 'medium' | 'wide';
  className?: string | undefined;
  children: ReactNode;
}

export function Page({ width = 'medium', className, children }: PageProps) {
  return <div className={classNames(styles.page, styles[width], className)}>{children}</div>;
}
