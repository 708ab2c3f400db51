// A note that something is missing while offline.
import { WifiOff } from 'lucide-react';
import { Icon } from '#/ui/icon.tsx';
import styles from './offline-note.module.css';

interface OfflineNoteProps {
  text: string;
  /** 'alert' if the note appears while the user is waiting for the missing part. */
  role?: 'alert';
}

export const OfflineNote = ({ text, role }: OfflineNoteProps) => (
  <p role={role} className={styles.note}>
    <Icon of={WifiOff} size={18} />
    {text}
  </p>
);
