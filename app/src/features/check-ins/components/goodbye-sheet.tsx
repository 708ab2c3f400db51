// A short goodbye after a visit: how long it was, and its stars in one tap; the stars are a slot of the reviews.
import type { ReactNode } from 'react';
import type { Goodbye } from '#/features/check-ins/goodbye.ts';
import { useFormatMinutes } from '#/features/check-ins/format-minutes.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './goodbye-sheet.module.css';

interface GoodbyeSheetProps {
  goodbye: Goodbye;
  stars: ReactNode;
  onClose: () => void;
}

export function GoodbyeSheet({ goodbye, stars, onClose }: GoodbyeSheetProps) {
  const t = useT();
  const formatMinutes = useFormatMinutes();
  return (
    <Sheet
      size="small"
      onClose={onClose}
      title={t('checkIns.goodbye.title')}
      footer={
        <Button variant="secondary" onClick={onClose}>
          {t('ui.skip')}
        </Button>
      }
    >
      <div className={styles.goodbye}>
        <p>
          {t('checkIns.goodbye.visit', {
            name: goodbye.parkName,
            time: formatMinutes(goodbye.minutes),
          })}
        </p>
        {stars}
      </div>
    </Sheet>
  );
}
