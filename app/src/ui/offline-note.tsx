// A line on a card that says what is missing without a network.
import { WifiOff } from 'lucide-react';
import { Icon } from '#/ui/icon.tsx';
import styles from './offline-note.module.css';

interface OfflineNoteProps {
  text: string;
  /** For what comes while somebody waits for the part that is missing. */
  role?: 'alert';
}

export const OfflineNote = ({ text, role }: OfflineNoteProps) => (
  <p role={role} className={styles.note}>
    <Icon of={WifiOff} size={18} />
    {text}
  </p>
);
