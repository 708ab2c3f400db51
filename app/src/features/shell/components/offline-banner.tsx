// Explains which features still work without a network.
import { WifiOff } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { useOnline } from '#/platform/online.ts';
import { Icon } from '#/ui/icon.tsx';
import { useAnnounce } from '#/ui/announcements.ts';
import styles from './offline-banner.module.css';

export function OfflineBanner() {
  const t = useT();
  const online = useOnline();
  useAnnounce(online ? t('shell.offline.back') : '');
  return (
    <div role="status">
      {!online && (
        <p className={styles.banner}>
          <Icon of={WifiOff} size={18} />
          <span>{t('shell.offline.banner')}</span>
        </p>
      )}
    </div>
  );
}
