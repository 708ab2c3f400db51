// The top of a screen: back, its title (the window's too), and what can be done there.
import { Link, type LinkProps, useCanGoBack, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import { useTitle } from '#/ui/use-title.ts';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** What the window is called, where the title is more than text. */
  documentTitle?: string;
  subtitle?: ReactNode;
  /** Where back leads when this page was opened first (a shared link); without it there is no back. */
  back?: LinkProps;
  /** IconButtons at the end of the row. */
  actions?: ReactNode;
}

export function PageHeader({ title, documentTitle, subtitle, back, actions }: PageHeaderProps) {
  const t = useT();
  useTitle(documentTitle ?? (typeof title === 'string' ? title : null));
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return (
    <header className={styles.header}>
      {back && (
        <Link
          {...back}
          className={styles.back}
          aria-label={t('ui.header.back')}
          onClick={(event) => {
            if (!canGoBack || event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            router.history.back();
          }}
        >
          <Icon of={ArrowLeft} size={24} directional />
        </Link>
      )}
      <div className={styles.texts}>
        <h1 className={styles.title}>{title}</h1>
        {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
