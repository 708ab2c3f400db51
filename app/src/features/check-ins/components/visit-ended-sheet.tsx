// The prompt after a visit: its length, and the stars for a review.
import type { ReactNode } from 'react';
import type { EndedVisit } from '#/features/check-ins/ended-visit.ts';
import { useFormatMinutes } from '#/features/check-ins/format-minutes.ts';
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './visit-ended-sheet.module.css';

interface VisitEndedSheetProps {
  visit: EndedVisit;
  stars: ReactNode;
  onClose: () => void;
}

export function VisitEndedSheet({ visit, stars, onClose }: VisitEndedSheetProps) {
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
      <div className={styles.ended}>
        <p>
          {t('checkIns.goodbye.visit', {
            name: visit.parkName,
            time: formatMinutes(visit.minutes),
          })}
        </p>
        {stars}
      </div>
    </Sheet>
  );
}
