// A one-line notice if loading the parks failed or none are visible.
import { SearchX, WifiOff } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { clusterClient, type ParksState } from '#/map/cluster-client.ts';
import { useOnline } from '#/platform/online.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './parks-notice.module.css';

interface ParksNoticeProps {
  parks: ParksState;
  /** The number of markers on the map; null before the first response. */
  drawn: number | null;
  /** The number of parks that match the filters, and a function that clears them; null without filters. */
  filtered: { count: number; clear: () => void } | null;
  onNearest: () => void;
}

export default function ParksNotice({ parks, drawn, filtered, onNearest }: ParksNoticeProps) {
  const t = useT();
  const online = useOnline();

  if (parks.state === 'failed')
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

  if (filtered?.count === 0)
    return (
      <div className={styles.notice} role="status">
        <span className={styles.text}>{t('home.noneFit')}</span>
        <Button variant="quiet" onClick={filtered.clear}>
          {t('parks.list.clearFilters')}
        </Button>
      </div>
    );

  if (parks.state === 'ready' && drawn === 0)
    return (
      <div className={styles.notice} role="status">
        <span className={styles.text}>{t('home.noneHere')}</span>
        <Button variant="quiet" onClick={onNearest}>
          {t('home.nearest')}
        </Button>
      </div>
    );

  return null;
}
