// The top of a screen: back link, title (also the document's) and actions.
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BackLink } from '#/ui/back-link.tsx';
import { useTitle } from '#/ui/use-title.ts';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** The document's title if `title` is not a string. */
  documentTitle?: string;
  subtitle?: ReactNode;
  /** Target of the back link if the tab has no previous page; without it no back link is shown. */
  back?: LinkProps;
  actions?: ReactNode;
}

export function PageHeader({ title, documentTitle, subtitle, back, actions }: PageHeaderProps) {
  useTitle(documentTitle ?? (typeof title === 'string' ? title : null));
  return (
    <header className={styles.header}>
      {back && <BackLink to={back} />}
      <h1 className={styles.title}>{title}</h1>
      {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
