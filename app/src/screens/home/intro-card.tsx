// The card above the parks. On the first visit it explains the app. Until the user decides, it explains why the app asks
// for the location.
import { X } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { IconButton } from '#/ui/icon-button.tsx';
import { useFloatingCard } from '#/ui/use-floating-card.ts';
import styles from './intro-card.module.css';

interface IntroCardProps {
  isFirstVisit: boolean;
  /** Requests the location; null to hide the button. */
  onLocation: (() => void) | null;
  onClose: () => void;
}

export default function IntroCard({ isFirstVisit, onLocation, onClose }: IntroCardProps) {
  const t = useT();
  const isShown = useFloatingCard('location', true);
  if (!isShown) return null;
  return (
    <section
      className={styles.card}
      aria-label={isFirstVisit ? t('home.welcome.name') : t('places.location.title')}
    >
      {isFirstVisit && (
        <p className={styles.welcome}>
          <strong>{t('home.welcome.name')}</strong> {t('home.welcome.text')}
        </p>
      )}
      {onLocation && <p className={styles.text}>{t('places.location.text')}</p>}
      {onLocation && <Button onClick={onLocation}>{t('ui.useLocation')}</Button>}
      <IconButton
        icon={X}
        size={18}
        label={t(onLocation ? 'ui.notNow' : 'ui.sheet.close')}
        onClick={onClose}
      />
    </section>
  );
}
