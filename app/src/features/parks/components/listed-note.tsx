// Says of a park that only what the list knows is shown, and that the rest comes by itself.
import { WifiOff } from 'lucide-react';
import { useT } from '#/i18n/i18n.ts';
import { Icon } from '#/ui/icon.tsx';
import styles from './listed-note.module.css';

export function ListedNote() {
  const t = useT();
  return (
    <p className={styles.note}>
      <Icon of={WifiOff} size={18} />
      {t('parks.listed.note')}
    </p>
  );
}
