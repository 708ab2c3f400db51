// A note above a form with a restored draft, with a button to discard it.
import { useT } from '#/i18n/i18n.ts';
import { Button } from '#/ui/button.tsx';
import styles from './draft-note.module.css';

export function DraftNote({ isOld, drop }: { isOld: boolean; drop: () => void }) {
  const t = useT();
  if (!isOld) return null;
  return (
    <p className={styles.note}>
      {t('drafts.kept')}
      <Button variant="quiet" onClick={drop}>
        {t('drafts.startOver')}
      </Button>
    </p>
  );
}
