// What stands where a part of the screen could not be downloaded.
import { WifiOff } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './part-missing.module.css';

export function PartMissing() {
  const t = useT();
  return (
    <p role="alert" className={styles.missing}>
      <Icon of={WifiOff} size={18} />
      {t('errors.offline')}
    </p>
  );
}
