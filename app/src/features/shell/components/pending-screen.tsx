// Shown while a screen's module or data is loading. After a while, it has a button to retry.
import { useEffect, useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Page } from '#/ui/page.tsx';
import { Skeleton } from '#/ui/skeleton.tsx';
import styles from './pending-screen.module.css';

/** The same time as the timeout of requests, because loading a script has no timeout. */
const LONG_MS = 15_000;

export function PendingScreen() {
  const t = useT();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Page>
      <div aria-busy className="grid-4">
        <Skeleton width="50%" height="2rem" />
        <Skeleton height="7rem" />
        <Skeleton height="7rem" />
        <Skeleton height="7rem" />
      </div>
      <div role="status">
        {long && (
          <div className={styles.long}>
            <p>{t('shell.pending.long')}</p>
            <Button onClick={() => location.reload()}>{t('ui.failed.tryAgain')}</Button>
          </div>
        )}
      </div>
    </Page>
  );
}
