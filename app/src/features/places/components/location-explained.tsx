// Says what the location is for before the browser asks for it.
import { MapPinned } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Icon } from '#/ui/icon.tsx';
import styles from './location-explained.module.css';

interface LocationExplainedProps {
  onAllow: () => void;
  onLater: () => void;
}

export function LocationExplained({ onAllow, onLater }: LocationExplainedProps) {
  const t = useT();
  return (
    <section className={styles.card} aria-labelledby="location-explained">
      <Icon of={MapPinned} size={28} className={styles.icon} />
      <div>
        <h2 id="location-explained" className={styles.title}>
          {t('places.location.title')}
        </h2>
        <p className={styles.text}>{t('places.location.text')}</p>
      </div>
      <div className={styles.actions}>
        <Button variant="quiet" onClick={onLater}>
          {t('places.location.notNow')}
        </Button>
        <Button onClick={onAllow}>{t('places.location.use')}</Button>
      </div>
    </section>
  );
}
