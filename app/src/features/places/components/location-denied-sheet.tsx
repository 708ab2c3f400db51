// Shown after the location permission was denied: an explanation, a link to the settings, and two ways to dismiss it.
import { useState } from 'react';
import { useT } from '#/i18n/i18n.ts';
import { openAppSettings } from '#/platform/settings.ts';
import { Button } from '#/ui/button.tsx';
import { Sheet } from '#/ui/sheet.tsx';
import styles from './location-denied-sheet.module.css';

interface LocationDeniedSheetProps {
  /** Called when the sheet is dismissed for this session. */
  onClose: () => void;
  onNever: () => void;
}

export default function LocationDeniedSheet({ onClose, onNever }: LocationDeniedSheetProps) {
  const t = useT();
  const [byHand, setByHand] = useState(false);

  async function openSettings(): Promise<void> {
    if (await openAppSettings()) onClose();
    else setByHand(true);
  }

  return (
    <Sheet onClose={onClose} title={t('places.denied.title')} size="small">
      <p>{t('places.denied.text')}</p>
      <p role="status" className={styles.instructions}>
        {byHand && t('places.denied.byHand')}
      </p>
      <div className="grid-2">
        <Button wide onClick={() => void openSettings()}>
          {t('ui.openSettings')}
        </Button>
        <Button wide variant="secondary" onClick={onClose}>
          {t('places.denied.later')}
        </Button>
        <Button wide variant="quiet" onClick={onNever}>
          {t('ui.neverAgain')}
        </Button>
      </div>
    </Sheet>
  );
}
