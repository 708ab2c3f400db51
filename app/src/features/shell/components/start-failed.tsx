// Shown if the app cannot start, because the first start of a native app needs a network.
import { useEffect } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { nativePlatform } from '#/platform/native.ts';
import { onReconnect } from '#/platform/online.ts';
import { hideSplash } from '#/platform/screen.ts';
import { Button } from '#/ui/button.tsx';
import styles from './lazy-error-screen.module.css';

export function StartFailed() {
  const t = useT();
  useEffect(() => {
    if (nativePlatform()) void hideSplash().catch(() => undefined);
    return onReconnect(() => location.reload());
  }, []);
  return (
    <main className={styles.screen}>
      <h1>{t('shell.start.failed')}</h1>
      <Button onClick={() => location.reload()}>{t('ui.failed.tryAgain')}</Button>
    </main>
  );
}
