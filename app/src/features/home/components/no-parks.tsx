// Shown instead of the cards if the host has no parks, or if loading them failed.
import { useT } from '#/i18n/i18n.ts';
import { clusterClient } from '#/map/cluster-client.ts';
import { useOnline } from '#/platform/online.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import styles from './no-parks.module.css';

export default function NoParks({ hasFailed }: { hasFailed: boolean }) {
  const t = useT();
  const online = useOnline();
  if (hasFailed)
    return (
      <div className={styles.card} role="alert">
        <EmptyState
          pose="sleeping"
          text={t(online ? 'parks.failed' : 'errors.offline')}
          action={
            <div className="row-2">
              <Button onClick={() => clusterClient().load(true)}>{t('ui.failed.tryAgain')}</Button>
              <ButtonLink to="/parks" variant="quiet">
                {t('home.list')}
              </ButtonLink>
            </div>
          }
        />
      </div>
    );
  return (
    <div className={styles.card} role="status">
      <EmptyState
        text={t('home.noParks')}
        action={<ButtonLink to="/parks/new">{t('ui.addPark')}</ButtonLink>}
      />
    </div>
  );
}
