// Shown after a park was submitted. Thanks the user and explains that it will be added shortly.
import { useT } from '#/i18n/i18n.ts';
import { Button, ButtonLink } from '#/ui/button.tsx';
import { DogDrawing } from '#/ui/dog-drawing.tsx';
import styles from './park-thanks.module.css';

export function ParkThanks({ onAnother }: { onAnother: () => void }) {
  const t = useT();
  return (
    <section className={styles.thanks} aria-live="polite">
      <DogDrawing pose="playing" />
      <h1 tabIndex={-1}>{t('parks.new.thanksTitle')}</h1>
      <p>{t('parks.new.thanks')}</p>
      <ButtonLink to="/parks">{t('parks.new.toList')}</ButtonLink>
      <Button variant="quiet" onClick={onAnother}>
        {t('parks.new.another')}
      </Button>
    </section>
  );
}
