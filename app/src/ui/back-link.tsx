// Navigates back, or to `to` if the tab has no previous page.
import { Link, type LinkProps, useCanGoBack, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './back-link.module.css';

/** @param to the target if the tab's history begins on this page, for example after opening a shared link */
export function BackLink({ to }: { to: LinkProps }) {
  const t = useT();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return (
    <Link
      {...to}
      className={styles.back}
      aria-label={t('ui.header.back')}
      activeOptions={{ exact: true }}
      onClick={(event) => {
        if (!canGoBack || event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        router.history.back();
      }}
    >
      <Icon of={ArrowLeft} size={24} directional />
    </Link>
  );
}
