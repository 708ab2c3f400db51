// Shown instead of the cards if the host has no parks.
import { useT } from '#/i18n/i18n.ts';
import { ButtonLink } from '#/ui/button.tsx';
import { EmptyState } from '#/ui/empty-state.tsx';
import styles from './no-parks.module.css';

export default function NoParks() {
  const t = useT();
  return (
    <div className={styles.card} role="status">
      <EmptyState
        text={t('home.noParks')}
        action={<ButtonLink to="/parks/new">{t('ui.addPark')}</ButtonLink>}
      />
    </div>
  );
}
