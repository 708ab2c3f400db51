// A one-line notice if loading the parks failed or none are visible.
import { SearchX, WifiOff } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { useOnline } from '#/platform/online.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './parks-notice.module.css';

interface ParksNoticeProps {
  problem: 'failed' | 'noneMatch' | 'noneHere';
  onClearFilters: () => void;
  onNearest: () => void;
}

export default function ParksNotice({ problem, onClearFilters, onNearest }: ParksNoticeProps) {
  const t = useT();
  const online = useOnline();

  if (problem === 'failed')
    return (
      <div className={styles.notice} role="alert">
        <Icon of={online ? SearchX : WifiOff} />
        <span className={styles.text}>{t(online ? 'parks.failed' : 'errors.offline')}</span>
        <Button variant="quiet" onClick={() => clusterClient().load(true)}>
          {t('ui.failed.tryAgain')}
        </Button>
        <ButtonLink to="/parks" variant="quiet">
          {t('home.list')}
        </ButtonLink>
      </div>
    );

  const isFilter = problem === 'noneMatch';
  return (
    <div className={styles.notice} role="status">
      <span className={styles.text}>{t(isFilter ? 'home.noneFit' : 'home.noneHere')}</span>
      <Button variant="quiet" onClick={isFilter ? onClearFilters : onNearest}>
        {t(isFilter ? 'parks.list.clearFilters' : 'home.nearest')}
      </Button>
    </div>
  );
}
